"""Responses of the annotator's JSON API, as plain data."""

from dataclasses import asdict, dataclass, field
from typing import Any

from parcels.annotate import cotraining_history
from parcels.annotate import queue as queues
from parcels.annotate.annotators import annotator_name
from parcels.annotate.exchange import EXPORTS
from parcels.annotate.page_list import PageFilter, list_pages
from parcels.annotate.page_sources import OpenedPage, StorePageSource
from parcels.annotate.predictions import UNSURE_BELOW
from parcels.annotate.session import AnnotationSession
from parcels.annotate.session_curve import learning_curve
from parcels.annotate.vote import agreement
from parcels.errors import ConfigError

MAX_TEXT = 4000  # characters of a block's text in a response
MAX_QUEUED = 30


@dataclass(frozen=True, slots=True)
class Parameters:
    """Validated parameters of a request."""

    annotator: str = ""
    page: str = ""
    n: int = 0
    after: str = ""
    model: str = ""
    is_back: bool = False
    filter: PageFilter = field(default_factory=PageFilter)


def describe_session(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return what stays the same during a session: the labels with their rubric, the number of pages."""
    labels = [asdict(label) for label in session.label_set.labels]
    return {
        "labels": labels, "title": session.label_set.title, "rubric": session.rubric, "saves": session.is_saving,
        "most": session.max_annotators, "adopted": session.recovered, "first": next(iter(session.source.entries)),
        "pages": len(session.source.entries), "unsure_below": UNSURE_BELOW,
    }  # fmt: skip


def project(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the progress of all annotators."""
    session.refresh()
    return queues.progress(session, parameters.annotator) | {"unsealed": session.unsealed}


def pages(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return one part of the list of pages."""
    session.refresh()
    return list_pages(session, parameters.annotator, parameters.filter)


def next_page(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the next page to label, or the neighbouring page in a session that saves nothing."""
    if not session.is_saving:
        return {"page": _neighbour(session, parameters)}
    page = queues.next_page(session, parameters.annotator, after=parameters.after)
    if page is not None:
        session.begin(page)
    return {"page": page}


def _neighbour(session: AnnotationSession, parameters: Parameters) -> str:
    """Return the page after or before the current one; the first follows the last."""
    order = list(session.source.entries)
    at = order.index(parameters.after) if parameters.after in session.source.entries else -1
    return order[(at + (-1 if parameters.is_back else 1)) % len(order)]


def queue(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the first pages of the queue, each with the reason for its place."""
    return {"pages": [asdict(page) for page in queues.rank_pages(session, parameters.annotator)[:MAX_QUEUED]]}


def page(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return a page's blocks with the model's predictions, and the annotator's own labels."""
    opened = session.open(parameters.page)
    if parameters.annotator:
        session.refresh()
    return {
        "page": parameters.page, "url": opened.entry.url, "site": opened.entry.site, "crawl": opened.entry.crawl,
        "place": list(session.source.entries).index(parameters.page) + 1, "title": opened.title,
        "model": opened.predictions.model, "width": 1000,
        "blocks": [_block(opened, n) for n in range(len(opened.blocks))],
        "own": session.labels_of(opened, parameters.annotator) if parameters.annotator else {},
        "version": session.version_of(parameters.page, parameters.annotator),
    }  # fmt: skip


def _block(opened: OpenedPage, n: int) -> dict[str, Any]:
    block, predictions = opened.blocks[n], opened.predictions
    label = predictions.labels[n]
    return {
        "n": n, "text": block.text[:MAX_TEXT], "path": block.tag_path, "box": block.box, "area": block.area,
        "kinds": sorted({leaf.kind for leaf in block.leaves}),
        "hidden": next((leaf.hidden_reason for leaf in block.leaves if leaf.hidden_reason), None)
        if all(leaf.hidden_reason for leaf in block.leaves) else None,
        "label": label[0] if label else None, "confidence": label[1] if label else None,
        "views": predictions.views[n], "doubt": round(predictions.doubt(n), 3),
    }  # fmt: skip


def own(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the annotator's own labels of a page, those from other tabs included."""
    session.refresh()
    return {
        "own": session.own_labels(parameters.page, parameters.annotator),
        "version": session.version_of(parameters.page, parameters.annotator),
    }


def save(session: AnnotationSession, page: str, body: dict[str, Any]) -> dict[str, Any]:
    """Save labels of blocks and return the versions before and after."""
    annotator, step = annotator_name(str(body.get("annotator", ""))), str(body.get("step", ""))
    labels = session.check(page, step, body.get("labels"))
    before, version = session.save(page, annotator, step, labels)
    return {"saved": len(labels), "before": before, "version": version, "unsealed": session.unsealed}


def why(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return why the model gives a block its label."""
    from parcels.labels.explain import explain
    from parcels.labels.model import model_at

    opened = session.open(parameters.page)
    if opened.measured is None or opened.model is None:
        raise ConfigError("This block cannot be explained: no model is loaded, or the page is too large to lay out.")
    return {"model": opened.model, **asdict(explain(model_at(opened.model), opened.measured, parameters.n))}


def agreed(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the agreement between annotators."""
    measured = agreement(session.label_index)
    pairs = [{"people": pair, "kappa": kappa} for pair, kappa in measured.pairs.items()]
    return asdict(measured) | {"pairs": pairs}


def curve(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the learning curve of the labels so far, and the expected gain of more labels."""
    return learning_curve(session)


def film(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the rounds of co-training."""
    if not isinstance(session.source, StorePageSource):
        return {"models": [], "rounds": [], "pages": []}
    return cotraining_history.rounds_of_model(
        session.source.store, parameters.model or None, session.source.entries, crawl=session.crawl
    )


def page_film(session: AnnotationSession, parameters: Parameters) -> dict[str, Any]:
    """Return the round, view and confidence with which co-training labelled each block of a page."""
    if not isinstance(session.source, StorePageSource):
        return {"blocks": []}
    count = len(session.open(parameters.page).ranges)
    return {
        "blocks": cotraining_history.rounds_of_blocks(
            session.source.store, parameters.model, parameters.page, count, crawl=session.crawl
        )
    }


def export(session: AnnotationSession, kind: str) -> tuple[str, bytes]:
    """Return the name and content of a file with all labels."""
    if kind not in EXPORTS:
        raise ConfigError(f"Unknown export '{kind}'. Use one of: {', '.join(EXPORTS)}.")
    if not isinstance(session.source, StorePageSource):
        raise ConfigError("Only the labels of a store can be exported: parcels annotate --store STORE")
    session.seal()
    suffix, make = EXPORTS[kind]
    return f"{kind}.{suffix}", b"".join(make(session.source.store, session.crawl))
