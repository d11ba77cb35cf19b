"""classify: `pages` and a model in, `labels` out. A new model is a new partition."""

from itertools import chain

import pyarrow as pa

from jobs.divide import STEP as DIVIDE
from jobs.engine.columns import columns_of, struct_lists
from jobs.engine.model_step import ModelArchive, ModelStep
from jobs.engine.page import StoredPage
from parcels.labels.model import LabelModel, open_block_model
from parcels.tables import LEAF_LABELS, SPANS, VOTES
from parcels.urls import block_id

STEP = "classify"


def classify(model: ModelArchive) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "labels", open_block_model, label_table, model, after=(DIVIDE,))


def label_table(page: StoredPage, model: LabelModel, name: str) -> pa.Table:
    """Return the labels of a page's blocks."""
    page.require_blocks()
    labelled, ranges = page.labels(model), list(page.division.ranges())
    count, views = len(ranges), labelled.votes
    votes = list(chain.from_iterable(zip(*views.values(), strict=True)))
    own = [[(n, label) for n, label in enumerate(labelled.leaf_labels[a:b], a) if label is not None] for a, b in ranges]
    leaves = list(chain.from_iterable(own))
    return pa.table(
        {
            "block_id": [block_id(page.page_id, n, page.divider_name) for n in range(count)],
            "page_id": [page.page_id] * count,
            "n": pa.array(range(count), pa.int32()),
            "label": [label for label, _ in labelled.best],
            "confidence": pa.array([confidence for _, confidence in labelled.best], pa.float32()),
            "views": struct_lists(VOTES, [len(views)] * count, list(views) * count, *columns_of(votes)),
            "leaves": struct_lists(LEAF_LABELS, list(map(len, own)), *columns_of(leaves)),
            "spans": pa.array([[span._asdict() for span in spans] for spans in labelled.spans], SPANS),
            "importance": pa.array(labelled.importance, pa.int32()),
            "model": [name] * count,
        }
    )
