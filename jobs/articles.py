"""articles: `pages` and a content model in, `articles` out, one row per page; a new model is a new partition."""

import datetime as dt
import json
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import Rows, StoredPage
from parcels.articles import article, model
from parcels.articles.body.choose import ARTICLE
from parcels.articles.svm import model as svm
from parcels.errors import ModelMismatch
from parcels.html.page import Page

STEP = "articles"
Extract: TypeAlias = Callable[[Page], article.Article]
_KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[Page, Any], article.Article]]] = {
    model.KIND: (model.open_content_model, article.extract_page),
    svm.KIND: (svm.open_svm_model, svm.extract_page),
}


def articles(sent: SentModel) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "articles", open_extractor, article_rows, sent)


def open_extractor(folder: Traversable) -> Extract:
    """The extractor whose model is in a folder."""
    kind = json.loads((folder / "model.json").read_text("utf-8")).get("kind")
    if kind not in _KINDS:
        raise ModelMismatch(f"a model of kind '{kind!s:.40}' finds no articles: name one of {', '.join(_KINDS)}")
    opening, extract = _KINDS[kind]
    opened = opening(folder)
    return lambda page: extract(page, opened)


def article_rows(page: StoredPage, extract: Extract, name: str) -> Rows:
    """One row per page; a page without an article has a page type and a reason instead."""
    return [row_of(extract(page.page), page.page_id, name)]


def row_of(found: article.Article, page_id: str, name: str) -> dict[str, Any]:
    """Return an extraction as a row of `articles`; a page that is no article has none of an article's fields."""
    same = ("title", "published", "source", "place", "language", "page_type", "confidence", "reason")
    row: dict[str, Any] = {
        "page_id": page_id,
        **{field: getattr(found, field) for field in same},
        "published_at": moment_of(found.published),
        "authors": list(found.authors),
        "text": found.text or None,
        "images": [image["url"] for image in found.images],
        "model": name,
    }
    if not found.is_article:
        row |= dict.fromkeys(("title", "published", "published_at", "place", "text", "confidence"))
        row |= {"authors": [], "images": []}
        row["reason"] = f"the page type is {found.page_type}, not {ARTICLE}" if found.text else found.reason
    return row


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
