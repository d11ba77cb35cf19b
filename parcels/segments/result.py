"""The segments of a page as `parcels.segment()` returns them and `parcels segment` prints them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parcels.common.memory import gc_paused
from parcels.errors import SkipRecord
from parcels.html.page import Source, open_page
from parcels.layout.render import LaidOut, lay_out
from parcels.processed_page import MAX_LAID_OUT
from parcels.results import Box, Leaf
from parcels.segments.graph.wps_graph import leaf_edges
from parcels.segments.informative import informative_segment
from parcels.segments.model import SHIPPED, SegmenterModel, segmenter_at
from parcels.segments.segmenters import DEFAULT, segmented


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment; final if it is no other segment's parent. `box` is None for an invisible segment."""

    n: int
    parent: int | None
    box: Box | None
    leaves: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the segment as the command line prints it."""
        return {"n": self.n, "parent": self.parent, "box": self.box, "leaves": self.leaves}


@dataclass(frozen=True, slots=True)
class PageSegments:
    """The segments of one page, the page itself first; every visible leaf is in exactly one final segment."""

    page: str
    url: str | None
    segmenter: str
    level: int
    leaves: tuple[Leaf, ...]
    segments: tuple[Segment, ...]
    informative: int | None

    def finals(self) -> tuple[Segment, ...]:
        """Return the segments without parts."""
        parents = {segment.parent for segment in self.segments}
        return tuple(segment for segment in self.segments if segment.n not in parents)

    def to_json(self) -> dict[str, Any]:
        """Return the page as the command line prints it."""
        return {
            "page": self.page,
            "url": self.url,
            "segmenter": self.segmenter,
            "level": self.level,
            "leaves": [leaf.to_json() for leaf in self.leaves],
            "segments": [segment.to_json() for segment in self.segments],
            "informative": self.informative,
        }


@gc_paused
def segment(
    html: Source,
    url: str | None = None,
    *,
    segmenter: str = DEFAULT,
    level: int = 1,
    model: str = SHIPPED,
    css: Mapping[str, bytes] | None = None,
    folder: str = "",
    directory: Path | None = None,
    renderer: str = "virtual",
) -> PageSegments:
    """Segment one page. `level` 1 gives its top-level parts, 2 the blocks inside them.

    >>> page = "<div id=menu><a href=a>Home</a> <a href=b>Sport</a></div><div id=main><h1>Fire</h1><p>All safe.</div>"
    >>> segment(page).segments[0].leaves
    (0, 1, 2, 3)
    """
    page = open_page(html, url)
    if len(page.nodes) > MAX_LAID_OUT:
        raise SkipRecord("too-large", url or "", "too many elements to lay out")
    laid = lay_out(page, css=css, folder=folder, directory=directory, renderer=renderer)
    return segments_of_page(laid, segmenter_at(model), segmenter=segmenter, level=level)


def segments_of_page(laid: LaidOut, model: SegmenterModel, *, segmenter: str = DEFAULT, level: int = 1) -> PageSegments:
    """Segment a laid-out page."""
    page = laid.page
    parts = segmented(laid, model, segmenter=segmenter, level=level)
    edges = leaf_edges(laid)
    segments = tuple(
        Segment(n, part.parent, _box(edges[part.leaves]), tuple(part.leaves)) for n, part in enumerate(parts)
    )
    leaves = tuple(
        Leaf(kind, text, None, reason)
        for kind, text, reason in zip(page.leaves.kind, page.leaves.text, laid.layout.hidden_reason, strict=True)
    )
    return PageSegments(page.name, page.url, segmenter, level, leaves, segments, informative_segment(laid, parts))


def _box(edges: "np.ndarray[Any, np.dtype[np.float64]]") -> Box | None:
    seen = edges[np.isfinite(edges[:, 0])]
    if not len(seen):
        return None
    left, top = seen[:, :2].min(axis=0).round(1).tolist()
    right, bottom = seen[:, 2:].max(axis=0).round(1).tolist()
    return left, top, round(right - left, 1), round(bottom - top, 1)
