"""Training and test pages of the segmenter: graph, features, gold, and the best feasible labelling."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from parcels.errors import InputMissing, SkipRecord
from parcels.html.page import read_page
from parcels.inputs import RawPage, read_pages
from parcels.layout.render import LaidOut, lay_out
from parcels.segments.content import content_rows
from parcels.segments.features import Rows, boundary_features
from parcels.segments.gold import LEVELS, OUTSIDE, Gold, Ints, gold_of
from parcels.segments.graph.labelling import GraphSegment, Labels, final_of_leaves, segments_of
from parcels.segments.graph.measures import Floats, SegmentMeasures
from parcels.segments.graph.oracle import best_labelling
from parcels.segments.graph.wps_graph import WpsGraph, build_graph
from parcels.urls import registered

PAGES = "pages.parquet"
_UNDER_MOUSE = re.compile(rb'(class="[^"]*?)\bhighlight\b')  # left by the marking tool where the mouse was last


@dataclass(frozen=True)
class MarkedPage:
    """One marked page."""

    name: str
    site: str
    laid: LaidOut
    graph: WpsGraph
    rows: Rows
    gold: Gold
    labels: dict[int, Labels]  # the best feasible labelling by level, where the level is scored

    @cached_property
    def content(self) -> Floats:
        """Return the features of each segment for being the informative one."""
        return content_rows(SegmentMeasures(self.graph))

    @property
    def leaves(self) -> int:
        """Return the number of leaves."""
        return len(self.laid.page.leaves)


def read_marked(folder: Path, *, renderer: str = "virtual") -> tuple[list[MarkedPage], list[str]]:
    """Read a folder's pages.parquet (page, html, blocks_html, css, dir); returns pages and errors."""
    import pyarrow.parquet

    path = folder / PAGES if folder.is_dir() else folder
    if not path.exists():
        raise InputMissing(f"File or folder not found: {path}. Give a folder with {PAGES}, or a Parquet file.")
    if "blocks_html" not in pyarrow.parquet.ParquetFile(path).schema_arrow.names:
        raise InputMissing(f"{path} has no column blocks_html: marked pages have elements with data-block in it")
    marks = pyarrow.parquet.read_table(path, columns=["page", "blocks_html"]).to_pylist()
    html_of = {str(row["page"]): row["blocks_html"] for row in marks}
    pages, unusable = [], []
    for raw in read_pages([str(path)]):
        try:
            if not isinstance(raw, RawPage) or not html_of.get(raw.name):
                raise SkipRecord("no-marks", raw.name, "no blocks_html")
            pages.append(marked_page(raw, html_of[raw.name], renderer=renderer))
        except (SkipRecord, InputMissing) as error:
            unusable.append(f"{raw.name} ({error})")
    return pages, unusable


def marked_page(raw: RawPage, marked_html: bytes, *, renderer: str = "virtual") -> MarkedPage:
    """Build one marked page: lay it out, read its gold and find the best feasible labellings."""
    html = _UNDER_MOUSE.sub(rb"\1", raw.html)
    page = read_page(html, raw.url, name=raw.name, content_type=raw.content_type)
    laid = lay_out(page, css=raw.css, folder=raw.folder, renderer=renderer)
    gold = gold_of(page, marked_html)
    featured = boundary_features(build_graph(laid))
    graph = featured.graph
    labels = {
        level: best_labelling(graph, gold.of_level(level), gold.every_of_level(level))
        for level in LEVELS
        if gold.is_scored(level)
    }
    return MarkedPage(raw.name, site_of(raw.name), laid, graph, featured.rows, gold, labels)


def site_of(name: str) -> str:
    """Return the site of a page whose name is its host, with or without a collection's name before it.

    >>> site_of("popular-www.example.org"), site_of("random-example.org")
    ('example.org', 'example.org')
    """
    return registered(name.partition("-")[2] or name)


def informative_boundaries(marked: MarkedPage, level: int) -> tuple[int, ...]:
    """Return the proper informative boundaries (Definition 3): those around and directly inside informative segments.

    A page may have several such segments, though only a single one is scored. It has none where the gold labelling does
    not have them as segments.
    """
    if level not in marked.labels:
        return ()
    graph, blocks = marked.graph, marked.gold.of_level(level)
    wanted = [set(leaves.tolist()) for leaves in marked.gold.contents_of_level(level)]
    boundaries: set[int] = set()
    for segment in segments_of(graph, marked.labels[level]):
        if not segment.cuts and marked_leaves(segment.leaves(), blocks) in wanted:
            boundaries.update(_around_and_inside(graph, segment))
    return tuple(sorted(boundaries))


def marked_leaves(leaves: Sequence[int], blocks: Ints) -> set[int]:
    """Return the leaves that are in a marked block."""
    return {leaf for leaf in leaves if blocks[leaf] != OUTSIDE}


def _around_and_inside(graph: WpsGraph, segment: GraphSegment) -> tuple[int, ...]:
    above, below = graph.sides()
    first, last = segment.sources[0], segment.sources[-1]
    outside = [side for side in (above[first], below[last]) if side >= 0]
    if first == last:
        start = int(graph.boundary[first])
        inside = list(range(start, start + int(graph.cuts[first])))
    else:
        inside = [below[source] for source in segment.sources[:-1]]
    return (*outside, *inside)


def finals(marked: MarkedPage, labels: Labels) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """Return the final segment of each leaf under a labelling."""
    return final_of_leaves(segments_of(marked.graph, labels), marked.leaves)
