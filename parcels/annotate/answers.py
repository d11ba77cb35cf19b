"""What the browser is told: plain data, ready for JSON."""

from dataclasses import asdict, dataclass, field
from typing import Any

from parcels.annotate import films
from parcels.annotate import queue as queues
from parcels.annotate.desk import Desk
from parcels.annotate.exchange import EXPORTS
from parcels.annotate.page_list import Wanted, list_pages
from parcels.annotate.people import annotator_name
from parcels.annotate.predicted import UNSURE_BELOW
from parcels.annotate.shelf import OpenPage, StoreShelf
from parcels.annotate.vote import agreement
from parcels.errors import ConfigError

MOST_TEXT = 4000  # characters of a block that the panel shows
MOST_QUEUED = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request names."""

    annotator: str = ""
    page: str = ""
    n: int = 0
    after: str = ""
    model: str = ""
    is_back: bool = False
    wanted: Wanted = field(default_factory=Wanted)


def session(desk: Desk, asked: Asked) -> dict[str, Any]:
    """What does not change: the labels with their rubric."""
    labels = [asdict(label) for label in desk.labels.labels]
    return {
        "labels": labels, "title": desk.labels.title, "rubric": desk.rubric, "saves": desk.is_saving,
        "most": desk.most, "adopted": desk.adopted, "first": next(iter(desk.shelf.entries)),
        "pages": len(desk.shelf.entries), "unsure_below": UNSURE_BELOW,
    }  # fmt: skip


def project(desk: Desk, asked: Asked) -> dict[str, Any]:
    """How far everybody is."""
    desk.refresh()
    return queues.progress(desk, asked.annotator) | {"unsealed": desk.unsealed}


def pages(desk: Desk, asked: Asked) -> dict[str, Any]:
    """Return a part of the list of pages."""
    desk.refresh()
    return list_pages(desk, asked.annotator, asked.wanted)


def next_page(desk: Desk, asked: Asked) -> dict[str, Any]:
    """Return the page that a person should label next, or the neighbour of a page that is only looked at."""
    if not desk.is_saving:
        return {"page": _neighbour(desk, asked)}
    found = queues.next_page(desk, asked.annotator, after=asked.after)
    if found is not None:
        desk.begin(found)
    return {"page": found}


def _neighbour(desk: Desk, asked: Asked) -> str:
    """The page behind or before another in the order in which they were given; behind the last comes the first."""
    order = list(desk.shelf.entries)
    at = order.index(asked.after) if asked.after in desk.shelf.entries else -1
    return order[(at + (-1 if asked.is_back else 1)) % len(order)]


def queue(desk: Desk, asked: Asked) -> dict[str, Any]:
    """What comes next, and why."""
    return {"pages": [asdict(one) for one in queues.ranked(desk, asked.annotator)[:MOST_QUEUED]]}


def page(desk: Desk, asked: Asked) -> dict[str, Any]:
    """A page's blocks with what the model says of them, and what this person has said."""
    opened = desk.open(asked.page)
    if asked.annotator:
        desk.refresh()
    predicted = opened.predicted
    return {
        "page": asked.page, "url": opened.entry.url, "site": opened.entry.site, "crawl": opened.entry.crawl,
        "place": list(desk.shelf.entries).index(asked.page) + 1, "title": opened.title, "model": predicted.model,
        "width": 1000,
        "blocks": [_block(opened, n) for n in range(len(opened.blocks))],
        "own": desk.labels_of(opened, asked.annotator) if asked.annotator else {},
        "version": desk.version_of(asked.page, asked.annotator),
    }  # fmt: skip


def _block(opened: OpenPage, n: int) -> dict[str, Any]:
    block, said = opened.blocks[n], opened.predicted
    label = said.labels[n]
    return {
        "n": n, "text": block.text[:MOST_TEXT], "path": block.tag_path, "box": block.box, "area": block.area,
        "kinds": sorted({leaf.kind for leaf in block.leaves}),
        "hidden": next((leaf.hidden_reason for leaf in block.leaves if leaf.hidden_reason), None)
        if all(leaf.hidden_reason for leaf in block.leaves) else None,
        "label": label[0] if label else None, "confidence": label[1] if label else None,
        "views": said.views[n], "doubt": round(said.doubt(n), 3),
    }  # fmt: skip


def own(desk: Desk, asked: Asked) -> dict[str, Any]:
    """What this person has said of a page: another tab may have said more."""
    desk.refresh()
    return {
        "own": desk.own_labels(asked.page, asked.annotator),
        "version": desk.version_of(asked.page, asked.annotator),
    }


def save(desk: Desk, page: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Save labels of blocks."""
    annotator, step = annotator_name(str(sent.get("annotator", ""))), str(sent.get("step", ""))
    labels = desk.check(page, step, sent.get("labels"))
    before, version = desk.save(page, annotator, step, labels)
    return {"saved": len(labels), "before": before, "version": version, "unsealed": desk.unsealed}


def why(desk: Desk, asked: Asked) -> dict[str, Any]:
    """Why a block has its label, by the model at hand."""
    from parcels.labels.explain import explain
    from parcels.labels.model import model_at

    opened = desk.open(asked.page)
    if opened.measured is None or opened.model is None:
        raise ConfigError("nothing explains this block: no model is at hand, or the page is too large")
    return {"model": opened.model, **asdict(explain(model_at(opened.model), opened.measured, asked.n))}


def agreed(desk: Desk, asked: Asked) -> dict[str, Any]:
    """How far people agree."""
    found = agreement(desk.said)
    pairs = [{"people": pair, "kappa": kappa} for pair, kappa in found.pairs.items()]
    return asdict(found) | {"pairs": pairs}


def curve(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The learning curve of what was labelled so far, and what more labels may bring."""
    from parcels.annotate.curve_of_desk import curve_of

    return curve_of(desk)


def film(desk: Desk, asked: Asked) -> dict[str, Any]:
    """The rounds of co-training."""
    if not isinstance(desk.shelf, StoreShelf):
        return {"models": [], "rounds": [], "pages": []}
    return films.film(desk.shelf.store, asked.model or None, desk.shelf.entries, crawl=desk.crawl)


def page_film(desk: Desk, asked: Asked) -> dict[str, Any]:
    """When each block of a page was labelled, by which view and how surely."""
    if not isinstance(desk.shelf, StoreShelf):
        return {"blocks": []}
    blocks = len(desk.open(asked.page).ranges)
    return {"blocks": films.page_film(desk.shelf.store, asked.model, asked.page, blocks, crawl=desk.crawl)}


def export(desk: Desk, what: str) -> tuple[str, bytes]:
    """A file with all labels, for people who take them elsewhere."""
    if what not in EXPORTS:
        raise ConfigError(f"there is no export '{what}'; known: {', '.join(EXPORTS)}")
    if not isinstance(desk.shelf, StoreShelf):
        raise ConfigError("only the labels of a store can be exported")
    desk.seal()
    suffix, make = EXPORTS[what]
    return f"{what}.{suffix}", b"".join(make(desk.shelf.store, desk.crawl))
