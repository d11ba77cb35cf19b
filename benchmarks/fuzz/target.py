"""Run blocks, extract, layout, segment and topic on a page, which is read and laid out once."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson

from benchmarks.fuzz.worker import Step
from parcels.articles.article import extract_page
from parcels.articles.model import SHIPPED as CONTENT
from parcels.articles.model import content_model_at
from parcels.inputs import RawPage
from parcels.layout.result import layout_result
from parcels.models.registry import model_path
from parcels.processed_page import ProcessedPage
from parcels.results import DEFAULT_MODEL, blocks_of
from parcels.segments.model import segmenter_at
from parcels.segments.result import segments_of_page
from parcels.topics.examples import read_for_topics
from parcels.topics.model import KIND, topic_model_at
from parcels.topics.model import SHIPPED as TOPICS
from parcels.topics.result import topic_of


@cache
def topic_model() -> Any:
    """Return the shipped topic model."""
    return topic_model_at(model_path(TOPICS, None, KIND))


def steps(html: bytes, url: str) -> Iterator[Step]:
    """Yield what is done with a page: reading it, then each use of it; every step may refuse the page."""
    processed = ProcessedPage(RawPage("", html, url))
    yield lambda: processed.page
    if "page" not in vars(processed):
        return
    page = processed.page
    yield lambda: processed.optional_layout
    yield lambda: blocks_of(ProcessedPage.parsed(page, divider="coarse"), has_layout=False)
    yield lambda: extract_page(page, content_model_at(CONTENT))
    laid = vars(processed).get("layout")
    yield lambda: topic_of(read_for_topics(page, laid), topic_model())
    if laid is not None:
        yield lambda: orjson.dumps(blocks_of(processed, model=DEFAULT_MODEL).to_json())
        yield lambda: layout_result(laid).to_json()
        yield lambda: segments_of_page(laid, segmenter_at()).to_json()
