"""articles: `pages` and a content model in, `articles` out, a row a page; a new model is a new partition."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, cast

from jobs.classify import SentModel
from jobs.divide import rejected
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.articles import article, model
from parcels.content_svm import extract as by_svm
from parcels.content_svm import model as svm
from parcels.errors import ModelMismatch
from parcels.page import Page
from parcels.store import Store

STEP = "articles"
Extract: TypeAlias = Callable[[Page], article.Article]
_KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[Page, Any], article.Article]]] = {
    model.KIND: (model.open_content_model, article.extract_page),
    svm.KIND: (svm.open_svm_model, by_svm.extract_page),
}


@cache
def opened_extractor(data: bytes) -> Extract:
    """The extractor whose model is in a zip file, opened once a process."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    archive.filename = "sent to the executors"  # for messages: a path needs a name
    folder = zipfile.Path(archive)
    kind = json.loads((folder / "model.json").read_text("utf-8")).get("kind")
    if kind not in _KINDS:
        raise ModelMismatch(f"a model of kind '{kind!s:.40}' finds no articles: name one of {', '.join(_KINDS)}")
    opening, extract = _KINDS[kind]
    opened = opening(cast(Any, folder))
    return lambda page: extract(page, opened)


@dataclass(frozen=True)
class Articles:
    """Finds the article of each page with a content model."""

    model: SentModel
    name: str = STEP

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{STEP} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with an article of this model, and pages that were left out."""
        rows = frame(spark, store, "articles").where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenArticles":
        """With the model open."""
        return OpenArticles(self.model.name, opened_extractor(self.model.data.value))


@dataclass(frozen=True)
class OpenArticles:
    """The step in an executor."""

    name: str
    extract: Extract

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """One row: a page without an article has none of its text, and the reason."""
        yield "articles", [row_of(self.extract(work.page), work.page_id, self.name)]


def row_of(found: article.Article, page_id: str, name: str) -> dict[str, Any]:
    """An article as a row of its table."""
    same = ("title", "published", "source", "place", "language", "page_type", "confidence", "reason")
    return {
        "page_id": page_id,
        **{field: getattr(found, field) for field in same},
        "published_at": moment_of(found.published),
        "authors": list(found.authors),
        "text": found.text or None,
        "images": [image["url"] for image in found.images],
        "model": name,
    }


def moment_of(published: str | None) -> dt.datetime | None:
    """A published date as a time: a day begins at midnight, and what names no zone is read as UTC.

    >>> moment_of("2024-05-03T21:10:00+02:00").isoformat(), moment_of("2024-05-03").isoformat(), moment_of(None)
    ('2024-05-03T19:10:00+00:00', '2024-05-03T00:00:00+00:00', None)
    """
    if published is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(published)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):  # a zone that no clock has: the day is told as text all the same
        return None
