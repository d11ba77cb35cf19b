"""classify: `pages` and a model in, `labels` out; a new model is a new partition."""

from collections.abc import Iterator
from typing import Any

from jobs.divide import STEP as DIVIDE
from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import Rows, StoredPage
from parcels.labels.blocks import Labelled
from parcels.labels.model import LabelModel, open_block_model
from parcels.urls import block_id

STEP = "classify"


def classify(model: SentModel) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "labels", open_block_model, label_rows, model, after=(DIVIDE,))


def label_rows(page: StoredPage, model: LabelModel, name: str) -> Rows:
    """Return the labels of a page's blocks."""
    page.require_blocks()
    return list(_rows(page, page.labels(model), name))


def _rows(page: StoredPage, labelled: Labelled, model: str) -> Iterator[dict[str, Any]]:
    bounds = page.division.ranges()
    for n, (block, (first, end)) in enumerate(zip(labelled.blocks(), bounds, strict=True)):
        own = enumerate(labelled.leaf_labels[first:end], first)
        yield {
            "block_id": block_id(page.page_id, n, page.divider_name),
            "page_id": page.page_id,
            "n": n,
            "label": block.label,
            "confidence": block.confidence,
            "views": [
                {"view": view, "label": vote.label, "confidence": vote.confidence} for view, vote in block.views.items()
            ],
            "leaves": [{"n": leaf, "label": label} for leaf, label in own if label is not None],
            "spans": [
                {"label": span.label, "start": span.start, "end": span.end, "confidence": span.confidence}
                for span in block.spans
            ],
            "importance": block.importance,
            "model": model,
        }
