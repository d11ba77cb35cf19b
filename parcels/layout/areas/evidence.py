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
from parcels.layout.areas.column_evidence import COLUMN_NAMES, Sides
from parcels.layout.areas.geometry import Floats, Ints, Scene, scene_of
from parcels.layout.areas.leaf_evidence import LEAF_NAMES, Frame
from parcels.layout.areas.map import CENTRE, LEFT, RIGHT, AreaMap
from parcels.layout.areas.names import find_flags
from parcels.layout.areas.part_table import Ground
from parcels.layout.areas.weights import COLUMN_WEIGHTS, LEAF_WEIGHTS
from parcels.layout.boxes import Layout

# Evidence that is not yet learned weighs nothing.
_LEAF_WEIGHTS: Floats = np.array([LEAF_WEIGHTS.get(name, (0.0, 0.0)) for name in LEAF_NAMES])
_COLUMN_WEIGHTS: Floats = np.array([COLUMN_WEIGHTS.get(name, 0.0) for name in COLUMN_NAMES])

CLIP = 6.0  # the most that one leaf may say for or against an area, as a difference of logarithms
PRICE = 1.0  # of one more part, on the same scale
FURTHER = 3.0  # what a piece of an area must gain besides the area's largest
LONG_TEXT = 60  # letters outside links: a sentence rather than a caption
LEAF_WIDTH, COLUMN_WIDTH = len(LEAF_NAMES), len(COLUMN_NAMES)


@dataclass(frozen=True, slots=True)
class Columns:
    """The candidates for side columns of a page."""

    part: Ints
    is_right: NDArray[np.bool_]
    evidence: Floats  # a row a candidate, a column a name of COLUMN_NAMES
    of_leaf: Ints  # for each leaf the number of its candidate; -1 outside all


def recognise(page: Page, layout: Layout) -> AreaMap:
    """Return the areas by weighted evidence."""
    if not len(page.leaves):
        return AreaMap(np.full(len(page.nodes), CENTRE, np.int8), np.zeros(0, np.int8), "evidence")
    ground = _ground_of(page, layout)
    sides = Sides(ground)
    frame, side = _evidence_of_leaves(ground) @ _LEAF_WEIGHTS, _evidence_of_sides(sides) @ _COLUMN_WEIGHTS
    return cuts.mapped(ground, _gains(sides, frame.reshape(-1), side), PRICE, FURTHER)


def evidence_of(page: Page, layout: Layout) -> tuple[Scene, Floats, Columns]:
    """Return all evidence: one row per leaf for header and footer, one row per candidate for the sides."""
    ground = _ground_of(page, layout)
    sides = Sides(ground)
    found = Columns(
        np.array(sides.part[: sides.count], np.int64),
        np.array(sides.is_right[: sides.count], np.bool_),
        _evidence_of_sides(sides),
        np.array(sides.of_leaf[: ground.leaf_count], np.int64),
    )
    return scene_of(ground), _evidence_of_leaves(ground), found


def _evidence_of_leaves(ground: Ground) -> Floats:
    table = np.empty(ground.leaf_count * LEAF_WIDTH)
    frame = Frame(ground)
    frame.write(table)
    return table.reshape(ground.leaf_count, LEAF_WIDTH)


def _evidence_of_sides(sides: Sides) -> Floats:
    table = np.empty(sides.count * COLUMN_WIDTH)
    sides.write(table)
    return table.reshape(sides.count, COLUMN_WIDTH)


def _gains(sides: Sides, frame: Floats, side: Floats) -> Any:
    """Return each leaf's gain in each area, as `mapped` reads it."""
    store, count = sides.ground.store, sides.ground.leaf_count
    score, column = frame, side
    gain = store.filled_doubles(5 * count, -CLIP)
    for leaf in range(count):
        at, one = 5 * leaf, sides.of_leaf[leaf]
        gain[at], gain[at + 1], gain[at + 4] = _clipped(score[2 * leaf]), _clipped(score[2 * leaf + 1]), 0.0
        if one >= 0:  # a column speaks for its leaves
            gain[at + 3 if sides.is_right[one] else at + 2] = _clipped(column[one])
    return gain


def advantage(frame: Floats, side: Floats, candidates: Columns) -> Floats:
    """Return each leaf's gain in each area over the centre, clipped: `_gains` for other weights."""
    gains: Floats = np.full((len(frame), 5), -CLIP)
    gains[:, :2] = np.clip(frame, -CLIP, CLIP)
    gains[:, CENTRE] = 0.0
    held = np.flatnonzero(candidates.of_leaf >= 0)
    one = candidates.of_leaf[held]
    gains[held, np.where(candidates.is_right[one], RIGHT, LEFT)] = np.clip(side, -CLIP, CLIP)[one]
    return gains


def areas_of(scene: Scene, gains: Floats) -> AreaMap:
    """Return the area map for the leaves' gains."""
    return cuts.areas_by_gains(scene.ground, gains, PRICE, FURTHER)


def _ground_of(page: Page, layout: Layout) -> Ground:
    ground = Ground(page)
    ground.look_at(layout, LONG_TEXT)
    find_flags(ground)
    return ground


def _clipped(score: float) -> float:
    return min(max(score, -CLIP), CLIP)
