"""classify: `pages` and a model in, `labels` out; a new model is a new partition."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jobs.divide import STEP as DIVIDE
from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import PageWork, Rows
from parcels.labels.blocks import Labelled, label_blocks
from parcels.labels.features import Measured
from parcels.labels.model import LabelModel, Prediction, open_block_model
from parcels.urls import block_id

STEP = "classify"


def classify(model: SentModel) -> ModelStep:
    """The job with a model."""
    return ModelStep(STEP, "labels", open_block_model, label_rows, model, after=(DIVIDE,))


def label_rows(work: PageWork, model: LabelModel, name: str) -> Rows:
    """The labels of a page's blocks."""
    said = label_blocks(work.division, work.laid, _Overhearing(model, work))
    return list(_rows(work, said, name))


@dataclass(frozen=True)
class _Overhearing:
    """The model, and what it is given to look at: measured once, a page serves `featurize` as well."""

    model: LabelModel
    work: PageWork

    def predict(self, measured: Measured) -> Prediction:
        if self.work.divider == "fine":  # the model looks at fine blocks, whatever the divider
            self.work.__dict__.setdefault("measured", measured)
        return self.model.predict(measured)


def _rows(work: PageWork, said: Labelled, model: str) -> Iterator[dict[str, Any]]:
    bounds = work.division.ranges()
    for n, (block, (first, end)) in enumerate(zip(said.blocks(), bounds, strict=True)):
        own = enumerate(said.leaf_labels[first:end], first)
        yield {
            "block_id": block_id(work.page_id, n, work.divider_name),
            "page_id": work.page_id,
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
