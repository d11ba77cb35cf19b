# cython: infer_types=True, wraparound=False
"""The evidence recogniser: scores for leaves and side columns, and the partition that explains them best.

1. Each leaf gets a score for header and footer, each candidate for a side column one for being a side: weighted sums of
   the evidence in `features` and `columns`. The weights are plain numbers in `weights`: set by hand and then moved by
   `python -m benchmarks.experiments.train_areas`.
2. The page is cut where that explains the scores best (`partition`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.areas import partition as cuts
from parcels.layout.areas.column_evidence import COLUMN_NAMES, ColumnEvidence
from parcels.layout.areas.geometry import Floats, Ints, PageGeometry, geometry_of
from parcels.layout.areas.leaf_evidence import LEAF_NAMES, LeafEvidence
from parcels.layout.areas.map import CENTRE, LEFT, RIGHT, AreaMap
from parcels.layout.areas.names import find_flags
from parcels.layout.areas.part_table import PartTable
from parcels.layout.areas.weights import COLUMN_WEIGHTS, LEAF_WEIGHTS
from parcels.layout.boxes import Layout

# Evidence that is not yet learned weighs nothing.
_LEAF_WEIGHTS: Floats = np.array([LEAF_WEIGHTS.get(name, (0.0, 0.0)) for name in LEAF_NAMES])
_COLUMN_WEIGHTS: Floats = np.array([COLUMN_WEIGHTS.get(name, 0.0) for name in COLUMN_NAMES])

CLIP = 6.0  # limit of one leaf's score for or against an area, in log odds
PART_PRICE = 1.0  # of one more part, on the same scale
MIN_PIECE_GAIN = 3.0  # minimum gain of a piece of an area, except for the area's largest
LONG_TEXT = 60  # letters outside links: a sentence rather than a caption
LEAF_WIDTH, COLUMN_WIDTH = len(LEAF_NAMES), len(COLUMN_NAMES)


@dataclass(frozen=True, slots=True)
class ColumnCandidates:
    """The candidates for side columns of a page."""

    part: Ints
    is_right: NDArray[np.bool_]
    evidence: Floats  # one row per candidate, one column per name of COLUMN_NAMES
    of_leaf: Ints  # for each leaf the number of its candidate; -1 outside all


def recognise(page: Page, layout: Layout) -> AreaMap:
    """Return the areas by weighted evidence."""
    if not len(page.leaves):
        return AreaMap(np.full(len(page.nodes), CENTRE, np.int8), np.zeros(0, np.int8), "evidence")
    page_parts = _part_table_of(page, layout)
    columns = ColumnEvidence(page_parts)
    leaf_scores, column_scores = (
        _evidence_of_leaves(page_parts) @ _LEAF_WEIGHTS,
        _evidence_of_columns(columns) @ _COLUMN_WEIGHTS,
    )
    return cuts.area_map(
        page_parts, _gains(columns, leaf_scores.reshape(-1), column_scores), PART_PRICE, MIN_PIECE_GAIN
    )


def evidence_of(page: Page, layout: Layout) -> tuple[PageGeometry, Floats, ColumnCandidates]:
    """Return all evidence: one row per leaf for header and footer, one row per candidate for the sides."""
    page_parts = _part_table_of(page, layout)
    columns = ColumnEvidence(page_parts)
    candidates = ColumnCandidates(
        np.array(columns.part[: columns.count], np.int64),
        np.array(columns.is_right[: columns.count], np.bool_),
        _evidence_of_columns(columns),
        np.array(columns.of_leaf[: page_parts.leaf_count], np.int64),
    )
    return geometry_of(page_parts), _evidence_of_leaves(page_parts), candidates


def _evidence_of_leaves(page_parts: PartTable) -> Floats:
    table = np.empty(page_parts.leaf_count * LEAF_WIDTH)
    evidence = LeafEvidence(page_parts)
    evidence.write(table)
    return table.reshape(page_parts.leaf_count, LEAF_WIDTH)


def _evidence_of_columns(columns: ColumnEvidence) -> Floats:
    table = np.empty(columns.count * COLUMN_WIDTH)
    columns.write(table)
    return table.reshape(columns.count, COLUMN_WIDTH)


def _gains(columns: ColumnEvidence, leaf_scores: Floats, column_scores: Floats) -> Any:
    """Return each leaf's gain in each area, as `area_map` reads it."""
    store, count = columns.page_parts.store, columns.page_parts.leaf_count
    score, column = leaf_scores, column_scores
    gain = store.filled_doubles(5 * count, -CLIP)
    for leaf in range(count):
        at, one = 5 * leaf, columns.of_leaf[leaf]
        gain[at], gain[at + 1], gain[at + 4] = _clipped(score[2 * leaf]), _clipped(score[2 * leaf + 1]), 0.0
        if one >= 0:  # a column's score counts for its leaves
            gain[at + 3 if columns.is_right[one] else at + 2] = _clipped(column[one])
    return gain


def gains_of(leaf_scores: Floats, column_scores: Floats, candidates: ColumnCandidates) -> Floats:
    """Return each leaf's gain in each area over the centre, clipped: `_gains` for other weights."""
    gains: Floats = np.full((len(leaf_scores), 5), -CLIP)
    gains[:, :2] = np.clip(leaf_scores, -CLIP, CLIP)
    gains[:, CENTRE] = 0.0
    held = np.flatnonzero(candidates.of_leaf >= 0)
    one = candidates.of_leaf[held]
    gains[held, np.where(candidates.is_right[one], RIGHT, LEFT)] = np.clip(column_scores, -CLIP, CLIP)[one]
    return gains


def area_map_of(geometry: PageGeometry, gains: Floats) -> AreaMap:
    """Return the area map for the leaves' gains."""
    return cuts.areas_by_gains(geometry.page_parts, gains, PART_PRICE, MIN_PIECE_GAIN)


def _part_table_of(page: Page, layout: Layout) -> PartTable:
    page_parts = PartTable(page)
    page_parts.read_layout(layout, LONG_TEXT)
    find_flags(page_parts)
    return page_parts


def _clipped(score: float) -> float:
    return min(max(score, -CLIP), CLIP)
