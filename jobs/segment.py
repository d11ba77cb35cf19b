"""segment: `pages` and a segmenter in, `segments` out, one row per segment. A new model is a new partition."""

from collections.abc import Iterator
from typing import Any

from jobs.engine.model_step import ModelArchive, ModelStep
from jobs.engine.page import Rows, StoredPage
from parcels.segments.model import SegmenterModel, open_segmenter
from parcels.segments.result import PageSegments, segments_of_page

STEP = "segment"
BOX_FIELDS = ("x_px", "y_px", "width_px", "height_px")


def segment(model: ModelArchive) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "segments", open_segmenter, rows_of_page, model)


def rows_of_page(page: StoredPage, model: SegmenterModel, name: str) -> Rows:
    """Return the segments of a page. Raise SkipRecord if nothing is visible."""
    page.require_leaves()
    return list(segment_rows(segments_of_page(page.layout, model), page.page_id, name))


def segment_rows(segments: PageSegments, page_id: str, model: str) -> Iterator[dict[str, Any]]:
    """Yield rows of `segments`."""
    for segment in segments.segments:
        yield {
            "page_id": page_id,
            "n": segment.n,
            "parent": segment.parent,
            "box": dict(zip(BOX_FIELDS, segment.box, strict=True)) if segment.box else None,
            "leaves": list(segment.leaves),
            "text": " ".join(segments.leaves[leaf].text for leaf in segment.leaves if segments.leaves[leaf].text),
            "is_informative": segment.n == segments.informative,
            "model": model,
        }
