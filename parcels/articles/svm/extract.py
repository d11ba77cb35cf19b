"""`--extractor svm`: the text by Yao and Zuo's machine; the fields are found as by the default extractor."""

import numpy as np

from parcels.articles.article import Article, Content, article_of, heading_of
from parcels.articles.body.include import DEFAULT, Include
from parcels.articles.body.parts import content_parts
from parcels.articles.fields.stated import Stated
from parcels.articles.svm.blocks import text_blocks
from parcels.articles.svm.model import SvmModel
from parcels.html.page import Page
from parcels.html.structured import claims


def extract_page(page: Page, model: SvmModel, include: Include = DEFAULT) -> Article:
    """The article of a page; the machine knows no page types."""
    said, blocks = claims(page), text_blocks(page)
    is_taken, expected = model.taken(blocks)
    taken = np.zeros(len(blocks.parts), bool)
    taken[blocks.at[is_taken]] = True
    content = Content(blocks.parts, taken, expected, None)
    return article_of(page, heading_of(content_parts(page), said), said, Stated.of(said), content, include)
