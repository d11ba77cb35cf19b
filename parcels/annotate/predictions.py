"""A model's labels for a page's blocks: stored by `classify`, or predicted on request."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from parcels.labels.features import BlockViews
from parcels.store import Store
from parcels.store.models import current_model, is_named, models_of
from parcels.urls import block_id

Vote = tuple[str, float]
UNSURE_BELOW = 0.6  # confidence; blocks below it are marked for review


@dataclass(frozen=True, slots=True)
class PagePredictions:
    """The labels and votes of a page's blocks, one entry per block; None where nothing is known."""

    model: str | None
    labels: list[Vote | None]
    views: list[dict[str, Vote]]

    @classmethod
    def nothing(cls, blocks: int) -> "PagePredictions":
        """Return the predictions of a page without a model."""
        return cls(None, [None] * blocks, [{} for _ in range(blocks)])

    def doubt(self, n: int) -> float:
        """Return the doubt about a block: from 0 (certain) to 2 (unsure, and the views differ)."""
        label_ = self.labels[n]
        return 0.0 if label_ is None else doubt(label_[1], [label for label, _ in self.views[n].values()])


def doubt(confidence: float | None, labels: list[str]) -> float:
    """Return the uncertainty plus the share of pairs of views that disagree.

    >>> doubt(0.9, ["ads", "ads"]), doubt(0.5, ["ads", "title"])
    (0.09999999999999998, 1.5)
    """
    pairs = len(labels) * (len(labels) - 1) // 2
    differing = sum(one != other for at, one in enumerate(labels) for other in labels[:at])
    return 1.0 - (confidence if confidence is not None else 1.0) + (differing / pairs if pairs else 0.0)


def predict(measured: BlockViews | None, model: str | None, blocks: int) -> PagePredictions:
    """Return a model's predictions for a measured page."""
    if model is None or measured is None or not len(measured):
        return PagePredictions.nothing(blocks)
    from parcels.labels.model import model_at

    result = model_at(model).predict(measured)
    votes = result.votes()
    views = [{view: vote[n] for view, vote in votes.items()} for n in range(len(measured))]
    return PagePredictions(model, list(result.best()), views)


class StoredLabels:
    """The labels in a store by a named model, or by the current one (parcels.store.models)."""

    def __init__(self, store: Store, *, crawl: str | None = None, model: str | None = None, divider: str = "fine@1"):
        self.store, self.divider = store, divider
        self.models = models_of(store, "labels", crawl=crawl)
        named = [name for name in self.models if model is not None and is_named(name, model)]
        self.model = current_model(store, "labels", crawl=crawl) if model is None else named[-1] if named else None
        self.crawl = crawl

    def rows(self, columns: list[str], page: str | None = None) -> list[dict[str, Any]]:
        """Return rows of the model's labels."""
        if self.model is None:
            return []
        where = None if page is None else ds.field("page_id") == page
        rows: list[dict[str, Any]] = self.store.read(
            "labels", columns=columns, filter=where, crawl=self.crawl, model=self.model
        ).to_pylist()
        return rows

    def of_page(self, page: str, blocks: int) -> PagePredictions | None:
        """Return the stored labels of a page; None where there are none, or the page is divided differently now."""
        rows = self.rows(["block_id", "n", "label", "confidence", "views"], page)
        ids = {row["block_id"] for row in rows}
        if not rows or len(ids) != blocks or ids != {block_id(page, n, self.divider) for n in range(blocks)}:
            return None
        predictions = PagePredictions(self.model, [None] * blocks, [{} for _ in range(blocks)])
        for row in rows:
            predictions.labels[row["n"]] = row["label"], round(row["confidence"] or 0.0, 4)
            predictions.views[row["n"]] = {
                one["view"]: (one["label"], round(one["confidence"] or 0.0, 4)) for one in row["views"]
            }
        return predictions

    @cached_property
    def unsure(self) -> dict[str, tuple[int, int]]:
        """Return the number of blocks below the threshold and of all blocks, per labelled page."""
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
        """Return the mean doubt of the blocks and their number, per page."""
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
    """Return `doubt` of every block, computed on whole columns: a store has millions of blocks."""
    sure = pc.fill_null(confidence, 1.0).to_numpy()
    sizes = pc.fill_null(pc.list_value_length(views), 0).to_numpy(zero_copy_only=False)
    pairs = sizes * (sizes - 1) // 2
    labels = pa.table({"row": pc.list_parent_indices(views), "label": pc.struct_field(pc.list_flatten(views), "label")})
    alike = labels.group_by(["row", "label"]).aggregate([([], "count_all")])
    count = alike["count_all"].to_numpy()
    agreeing = np.bincount(alike["row"].to_numpy(), count * (count - 1) // 2, minlength=len(sizes))
    differing = np.divide(pairs - agreeing, pairs, out=np.zeros(len(sizes)), where=pairs > 0)
    result: np.ndarray[Any, np.dtype[np.float64]] = 1.0 - sure + differing
    return result
