"""What a model says of a page's blocks: as `classify` stored it, or asked now."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from parcels.labels.features import Measured
from parcels.store import Store
from parcels.store.models import current_model, is_named, models_of
from parcels.urls import block_id

Vote = tuple[str, float]
UNSURE_BELOW = 0.6  # confidence; a block below it carries the mark that asks people to look


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
    from parcels.labels.model import model_at

    said = model_at(model).predict(measured)
    votes = said.votes()
    views = [{view: vote[n] for view, vote in votes.items()} for n in range(len(measured))]
    return Predicted(model, list(said.best()), views)


class StoredLabels:
    """The labels that `classify` wrote: by the model that was named, or by the current one (parcels.store.models)."""

    def __init__(self, store: Store, *, crawl: str | None = None, model: str | None = None, divider: str = "fine@1"):
        self.store, self.divider = store, divider
        self.models = models_of(store, "labels", crawl=crawl)
        named = [name for name in self.models if model is not None and is_named(name, model)]
        self.model = current_model(store, "labels", crawl=crawl) if model is None else named[-1] if named else None
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
    def unsure(self) -> dict[str, tuple[int, int]]:
        """How many blocks of each page are below the threshold, and how many it has; only pages with labels."""
        if self.model is None:
            return {}
        rows = self.store.read("labels", columns=["page_id", "confidence"], crawl=self.crawl, model=self.model)
        is_unsure = pc.fill_null(pc.less(rows["confidence"], UNSURE_BELOW), False)
        counted = pa.table({"page_id": rows["page_id"], "unsure": is_unsure.cast(pa.int64())})
        sums = counted.group_by("page_id").aggregate([("unsure", "sum"), ("unsure", "count")])
        pairs = zip(sums["unsure_sum"].to_pylist(), sums["unsure_count"].to_pylist(), strict=True)
        return dict(zip(sums["page_id"].to_pylist(), pairs, strict=True))

    @cached_property
    def doubts(self) -> dict[str, tuple[float, int]]:
        """Of each page the mean doubt over its blocks, and how many there are."""
        if self.model is None:
            return {}
        columns = ["page_id", "confidence", "views"]
        rows = self.store.read("labels", columns=columns, crawl=self.crawl, model=self.model).combine_chunks()
        pages = pc.dictionary_encode(rows["page_id"].combine_chunks())
        of_page = pages.indices.to_numpy()
        counts = np.bincount(of_page)
        means = np.bincount(of_page, _doubts(rows["confidence"], rows["views"].combine_chunks())) / counts
        return dict(zip(pages.dictionary.to_pylist(), zip(means.tolist(), counts.tolist(), strict=True), strict=True))


def _doubts(confidence: pa.ChunkedArray, views: pa.ListArray) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return `doubt` of every block, a column at a time: a store has millions of them."""
    sure = pc.fill_null(confidence, 1.0).to_numpy()
    sizes = pc.fill_null(pc.list_value_length(views), 0).to_numpy(zero_copy_only=False)
    pairs = sizes * (sizes - 1) // 2
    labels = pa.table({"row": pc.list_parent_indices(views), "label": pc.struct_field(pc.list_flatten(views), "label")})
    alike = labels.group_by(["row", "label"]).aggregate([([], "count_all")])
    count = alike["count_all"].to_numpy()
    agreeing = np.bincount(alike["row"].to_numpy(), count * (count - 1) // 2, minlength=len(sizes))
    differing = np.divide(pairs - agreeing, pairs, out=np.zeros(len(sizes)), where=pairs > 0)
    found: np.ndarray[Any, np.dtype[np.float64]] = 1.0 - sure + differing
    return found
