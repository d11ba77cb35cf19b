"""What a model says of a page's blocks: as `classify` stored it, or asked now."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow.dataset as ds

from parcels.classify.measured import Measured
from parcels.store import Store
from parcels.urls import block_id

Vote = tuple[str, float]


@dataclass(frozen=True, slots=True)
class Predicted:
    """One entry a block; None where nothing is known."""

    model: str | None
    labels: list[Vote | None]
    views: list[dict[str, Vote]]

    @classmethod
    def nothing(cls, blocks: int) -> "Predicted":
        """Of a page that no model has seen."""
        return cls(None, [None] * blocks, [{} for _ in range(blocks)])

    def doubt(self, n: int) -> float:
        """How much a person's label of the block would help: from 0 (certain) to 2 (unsure, and the views differ)."""
        said = self.labels[n]
        return 0.0 if said is None else doubt(said[1], [label for label, _ in self.views[n].values()])


def doubt(confidence: float | None, labels: list[str]) -> float:
    """Uncertainty, plus the share of pairs of views that disagree.

    >>> doubt(0.9, ["ads", "ads"]), doubt(0.5, ["ads", "title"])
    (0.09999999999999998, 1.5)
    """
    pairs = len(labels) * (len(labels) - 1) // 2
    differing = sum(one != other for at, one in enumerate(labels) for other in labels[:at])
    return 1.0 - (confidence if confidence is not None else 1.0) + (differing / pairs if pairs else 0.0)


def predict(measured: Measured | None, model: str | None, blocks: int) -> Predicted:
    """Ask a model now."""
    if model is None or measured is None or not len(measured):
        return Predicted.nothing(blocks)
    from parcels.classify.model import model_at

    said = model_at(model).predict(measured)
    votes = said.votes()
    views = [{view: vote[n] for view, vote in votes.items()} for n in range(len(measured))]
    return Predicted(model, list(said.best()), views)


class StoredLabels:
    """The labels that `classify` wrote: of the model that was named, or of the one that wrote last."""

    def __init__(self, store: Store, *, crawl: str | None = None, model: str | None = None, divider: str = "fine@1"):
        self.store, self.divider = store, divider
        self.models = _models(store, crawl)
        names = [name for name in self.models if model is None or name == model or name.partition("@")[0] == model]
        self.model: str | None = names[-1] if names else None
        self.crawl = crawl

    def rows(self, columns: list[str], page: str | None = None) -> list[dict[str, Any]]:
        """Rows of the model's labels."""
        if self.model is None:
            return []
        where = None if page is None else ds.field("page_id") == page
        rows: list[dict[str, Any]] = self.store.read(
            "labels", columns=columns, filter=where, crawl=self.crawl, model=self.model
        ).to_pylist()
        return rows

    def of_page(self, page: str, blocks: int) -> Predicted | None:
        """What was stored of a page; None where nothing was, or the page is divided otherwise now."""
        rows = self.rows(["block_id", "n", "label", "confidence", "views"], page)
        ids = {row["block_id"] for row in rows}
        if not rows or len(ids) != blocks or ids != {block_id(page, n, self.divider) for n in range(blocks)}:
            return None
        found = Predicted(self.model, [None] * blocks, [{} for _ in range(blocks)])
        for row in rows:
            found.labels[row["n"]] = row["label"], round(row["confidence"] or 0.0, 4)
            found.views[row["n"]] = {
                one["view"]: (one["label"], round(one["confidence"] or 0.0, 4)) for one in row["views"]
            }
        return found

    @cached_property
    def doubts(self) -> dict[str, tuple[float, int]]:
        """Of each page the mean doubt over its blocks, and how many there are."""
        found: dict[str, list[float]] = {}
        for row in self.rows(["page_id", "confidence", "views"]):
            found.setdefault(row["page_id"], []).append(
                doubt(row["confidence"], [one["label"] for one in row["views"]])
            )
        return {page: (sum(values) / len(values), len(values)) for page, values in found.items()}


def _models(store: Store, crawl: str | None) -> list[str]:
    """The models with labels, the one that wrote last at the end."""
    last: dict[str, str] = {}
    for file in store.files("labels", crawl=crawl):
        name, wrote = str(file.partition["model"]), file.path.rpartition("/")[2].split("-")[2]
        last[name] = max(wrote, last.get(name, ""))
    return sorted(last, key=lambda name: (last[name], name))
