"""segment: `pages` and a segmenter in, `segments` out, a row a segment; a new model is a new partition."""

from collections.abc import Iterator
from typing import Any

from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import PageWork, Rows
from parcels.segments.model import SegmenterModel, open_segmenter
from parcels.segments.result import PageSegments, segments_of_page

STEP = "segment"
BOX_FIELDS = ("x_px", "y_px", "width_px", "height_px")


def segment(model: SentModel) -> ModelStep:
    """The job with a model."""
    return ModelStep(STEP, "segments", open_segmenter, rows_of_page, model)


def rows_of_page(work: PageWork, model: SegmenterModel, name: str) -> Rows:
    """The segments of a page; one without visible leaves is left out."""
    return list(segment_rows(segments_of_page(work.seen, model), work.page_id, name))


def segment_rows(found: PageSegments, page_id: str, model: str) -> Iterator[dict[str, Any]]:
    """Rows of `segments`."""
    for segment in found.segments:
        yield {
            "page_id": page_id,
            "n": segment.n,
            "parent": segment.parent,
            "box": dict(zip(BOX_FIELDS, segment.box, strict=True)) if segment.box else None,
            "leaves": list(segment.leaves),
            "text": " ".join(found.leaves[leaf].text for leaf in segment.leaves if found.leaves[leaf].text),
            "is_informative": segment.n == found.informative,
            "model": model,
        }
