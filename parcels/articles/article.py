"""One page to one article: title, date, authors, source, place, text, images, language, and how sure all that is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.articles.authors import find_authors
from parcels.articles.choose import choice
from parcels.articles.facts import Dateline, find_dateline, find_images, find_language, find_publishers
from parcels.articles.fallback import hidden_text
from parcels.articles.front import without_front
from parcels.articles.model import SHIPPED, ContentModel, Scored, content_model_at
from parcels.articles.parts import Parts, content_parts
from parcels.articles.pieces import Piece, as_markdown, as_text, pieces_of
from parcels.articles.published import find_published
from parcels.articles.stated import Stated
from parcels.articles.title import find_title
from parcels.page import Page, read_page
from parcels.structured import Claim, claims

OPENING = 4  # paragraphs among which the report begins
UNSURE = 0.3  # below this confidence there is probably no article
HIDDEN_TEXT_SURE = 0.5  # how sure a text from data is: nothing was scored


@dataclass(frozen=True)
class Content:
    """What was taken of a page's blocks, however they were divided and chosen."""

    parts: Parts
    taken: NDArray[np.bool_]
    expected: float  # F1 of words
    page_type: str | None


@dataclass(frozen=True)
class Article:
    """What a page says, once. What it does not say is None or empty."""

    page: str
    url: str | None
    title: str | None
    published: str | None  # ISO 8601
    authors: tuple[str, ...]
    source: str | None
    place: str | None
    text: str  # paragraphs separated by a blank line
    markdown: str
    images: tuple[dict[str, Any], ...]
    language: str | None
    page_type: str | None  # None where the extractor does not tell
    confidence: float  # the F1 of words that pages which look like this one got on unseen sites
    confidences: dict[str, float]  # of title, published and authors, where they are known
    reason: str | None  # why there is no text, or why it is unsure

    def to_json(self) -> dict[str, Any]:
        """The article as the command line prints it; Markdown is a format of its own."""
        names = [name for name in self.__dataclass_fields__ if name != "markdown"]
        return {name: getattr(self, name) for name in names}


def extract(html: bytes | str, url: str | None = None, *, model: str = SHIPPED) -> Article:
    """The article of a page; `model` is the name of a shipped content model or a model's folder.

    >>> story = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said." * 4
    >>> extract(f"<title>Pier burns</title><h1>Pier burns down</h1><p>By Ann Lee{story}").title
    'Pier burns down'
    """
    return extract_page(read_page(html, url), content_model_at(model))


def extract_page(page: Page, model: ContentModel) -> Article:
    """The article of a page that was read before."""
    said = claims(page)
    stated, parts = Stated.of(said), content_parts(page)
    scored = model.score(parts, said, page.url, stated=stated)
    return assembled(page, parts, said, stated, scored)


def assembled(page: Page, parts: Parts, said: list[Claim], stated: Stated, scored: Scored) -> Article:
    """The article from a page's scored blocks."""
    title = find_title(parts, said, find_publishers(said))
    taken, expected = choice(scored, parts, title.block if title else None)
    return article_of(page, parts, said, stated, Content(parts, taken, scored.curve(expected), scored.page_type))


def article_of(page: Page, parts: Parts, said: list[Claim], stated: Stated, content: Content) -> Article:
    """The article from what was taken as content; fields are read from `parts`, the page's fine blocks."""
    taken, expected = without_front(content.parts, content.taken), content.expected
    pieces = pieces_of(content.parts, taken, page.url)
    data = hidden_text(page, stated, int(content.parts.words[taken].sum()))
    if data:
        pieces, expected = [Piece("paragraph", 0, text, text, -1) for text in data], HIDDEN_TEXT_SURE
    publishers = find_publishers(said)
    title = find_title(parts, said, publishers)
    block = title.block if title else None
    published, authors = find_published(parts, said, page.url, block), find_authors(parts, said, block, publishers)
    dateline = _dateline(pieces)
    places = [claim.value for claim in said if claim.field == "place"]
    confidences = {"title": title.confidence} if title else {}
    confidences |= {"published": published.confidence} if published else {}
    confidences |= {"authors": authors.confidence} if authors.names else {}
    return Article(
        page=page.name,
        url=page.url,
        title=title.text if title else None,
        published=published.value if published else None,
        authors=authors.names,
        source=dateline.agency or (publishers[0] if publishers else None),
        place=dateline.place or (places[0] if places else None),
        text=as_text(pieces),
        markdown=as_markdown(pieces),
        images=tuple(find_images(content.parts, taken, said, page.url)),
        language=find_language(said, " ".join(piece.text for piece in pieces)),
        page_type=content.page_type,
        confidence=round(expected, 4),
        confidences=confidences,
        reason=_reason(pieces, parts, expected),
    )


def _dateline(pieces: list[Piece]) -> Dateline:
    """How the report begins: in its first paragraph, unless a byline or summary stands before it."""
    first = [piece.text for piece in pieces if piece.kind == "paragraph"][:OPENING]
    return next((found for text in first if any(found := find_dateline(text))), Dateline(None, None))


def _reason(pieces: list[Piece], parts: Parts, expected: float) -> str | None:
    if not pieces:
        return "the page shows no text" if not parts.words.any() else "no block looks like content"
    return "no part of the page stands out as its content" if expected < UNSURE else None
