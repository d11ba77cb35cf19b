"""articles: `pages` and a content model in, `articles` out, one row per page. A new model is a new partition."""

import datetime as dt
import json
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from jobs.engine.model_step import ModelArchive, ModelStep
from jobs.engine.page import Rows, StoredPage
from parcels.articles import article, model
from parcels.articles.body.choose import ARTICLE
from parcels.articles.svm import model as svm
from parcels.errors import ModelMismatch
from parcels.html.page import Page

STEP = "articles"
DATES = ("published", "published_at", "modified", "modified_at")
Extract: TypeAlias = Callable[[Page], article.Article]
_KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[Page, Any], article.Article]]] = {
    model.KIND: (model.open_content_model, article.extract_page),
    svm.KIND: (svm.open_svm_model, svm.extract_page),
}


def articles(archive: ModelArchive) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "articles", open_extractor, article_rows, archive)


def open_extractor(folder: Traversable) -> Extract:
    """Return the extractor whose model is in a folder."""
    kind = json.loads((folder / "model.json").read_text("utf-8")).get("kind")
    if kind not in _KINDS:
        raise ModelMismatch(
            f"a content model must be of kind {' or '.join(_KINDS)}, got '{kind!s:.40}': use another --content-model"
        )
    opening, extract = _KINDS[kind]
    opened = opening(folder)
    return lambda page: extract(page, opened)


def article_rows(page: StoredPage, extract: Extract, name: str) -> Rows:
    """Return the row of a page. A page without an article has a page type and a reason."""
    return [row_of(extract(page.page), page.page_id, name)]


def row_of(extracted: article.Article, page_id: str, name: str) -> dict[str, Any]:
    """Return an extraction as a row of `articles`. The fields of an article are empty if the page is not one."""
    same = ("title", "published", "modified", "source", "place", "language", "page_type", "confidence", "reason")
    row: dict[str, Any] = {
        "page_id": page_id,
        **{field: getattr(extracted, field) for field in same},
        "published_at": moment_of(extracted.published),
        "modified_at": moment_of(extracted.modified),
        "authors": list(extracted.authors),
        "text": extracted.text or None,
        "images": [image["url"] for image in extracted.images],
        "model": name,
    }
    if not extracted.is_article:
        row |= dict.fromkeys(("title", *DATES, "place", "text", "confidence"))
        row |= {"authors": [], "images": []}
        row["reason"] = f"the page type is {extracted.page_type}, not {ARTICLE}" if extracted.text else extracted.reason
    return row


def moment_of(stated: str | None) -> dt.datetime | None:
    """Return a stated date as a time in UTC: a day as its midnight, a time without a zone as UTC.

    >>> moment_of("2024-05-03T21:10:00+02:00").isoformat(), moment_of("2024-05-03").isoformat(), moment_of(None)
    ('2024-05-03T19:10:00+00:00', '2024-05-03T00:00:00+00:00', None)
    """
    if stated is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(stated)
        return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):  # an impossible zone: `published` still has the text
        return None
