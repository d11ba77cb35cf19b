"""What is done with a page: blocks, extract, layout, segment and topic, with one reading and one layout for all."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from benchmarks.fuzz.worker import Step
from parcels.articles.article import extract_page
from parcels.articles.model import SHIPPED as CONTENT
from parcels.articles.model import content_model_at
from parcels.html.page import read_page
from parcels.layout.result import layout_result
from parcels.models.registry import model_path
from parcels.results import DEFAULT_MODEL, blocks_of, blocks_to_line, laid_within_bounds
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
    known: dict[str, Any] = {}

    def read() -> None:
        known["page"] = read_page(html, url)

    def lay_out() -> None:
        known["laid"] = laid_within_bounds(known["page"])

    yield read
    if "page" not in known:
        return
    page = known["page"]
    yield lay_out
    yield lambda: blocks_of(page, divider="coarse")
    yield lambda: extract_page(page, content_model_at(CONTENT))
    laid = known.get("laid")
    yield lambda: topic_of(read_for_topics(page, laid), topic_model())
    if laid is not None:
        yield lambda: blocks_to_line(page, laid=laid, model=DEFAULT_MODEL)
        yield lambda: layout_result(laid).to_json()
        yield lambda: segments_of_page(laid, segmenter_at()).to_json()
