"""segment: `pages` and a segmenter in, `segments` out, a row a segment; a new model is a new partition."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jobs.classify import SentModel
from jobs.divide import rejected
from jobs.folder import opened_folder
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.errors import SkipRecord
from parcels.segment.model import SegmenterModel, open_segmenter
from parcels.segment.result import PageSegments, segments_of_page
from parcels.store import Store

STEP = "segment"
BOX_FIELDS = ("x_px", "y_px", "width_px", "height_px")


def opened_segmenter(data: bytes) -> SegmenterModel:
    """The segmenter in a zip file, opened once a process."""
    found: SegmenterModel = opened_folder(data, open_segmenter)
    return found


@dataclass(frozen=True)
class Segment:
    """Segments pages with a model."""

    model: SentModel
    name: str = STEP

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{STEP} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with segments of this model, and pages that were left out."""
        rows = frame(spark, store, "segments").where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenSegment":
        """With the model open."""
        return OpenSegment(self.model.name, opened_segmenter(self.model.data.value))


@dataclass(frozen=True)
class OpenSegment:
    """The step in an executor."""

    name: str
    model: SegmenterModel

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """The segments of a page; one without visible leaves is left out."""
        if not len(work.page.leaves):
            raise SkipRecord("no-leaves", str(work.row["url"]), "nothing visible")
        yield "segments", list(segment_rows(segments_of_page(work.laid, self.model), work.page_id, self.name))


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
