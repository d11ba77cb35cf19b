"""The evidence for a side column: one row a candidate, numbers from 0 to 1, one column a name.

A candidate is an outermost narrow part whose middle lies in the outer part of the page. Candidates on the same side
that stand over one another, close and in line, are a *run*; a sidebar is often made of several.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.names import BIT
from parcels.layout.areas.scene import Scene, outermost
from parcels.layout.areas.sweep_arrays import Floats, Ints
from parcels.layout.areas.sweeps_sides import (
    sweep_beside,
    sweep_candidates,
    sweep_columns,
    sweep_nears,
    sweep_runs,
    sweep_siblings,
    sweep_written,
)
from parcels.page import Page
from parcels.tags import lookup

COLUMN_SHARE = 0.40  # of the page's width: a column is not wider
LEFT_SHARE = 0.25  # a left column is a menu; the wider it is from here on, the more likely it is text
OUTER_SHARE = 0.36  # the middle of a side column lies within this share of the page's width from its edge
MIN_LEAVES, MIN_PX = 2, 30.0  # a narrow part of fewer leaves that is lower than this is no column
MAX_NARROW = 150  # the largest narrow parts; a page of ten thousand is a table
LEAF_WEIGHT = 10.0  # letters that a leaf is worth besides its own, since pictures count too

_PLAIN = (
    *("nav_name", "nav_tag", "header_name", "header_tag", "footer_name", "footer_tag"),
    *("article_tag", "main_tag", "content_name"),
)
COLUMN_NAMES = (
    *("bias", "narrow", "outer", "tall", "slim", "wide_left", "ends_high", "begins_low", "run_high"),
    *("sibling_wide", "sibling_equal", "beside_wide", "beside_wider", "beside_text", "beside_share", "beside_broad"),
    *("alone", "more_outside"),
    *("links", "long_text", "few", "many", "items", "short_links", "long_links", "wordy"),
    *_PLAIN,
    *("own_side_name", "other_side_name", "side_name"),
)
_PLAIN_BITS = tuple(BIT[name] for name in _PLAIN)
_SIDE_BITS = (BIT["left_name"], BIT["right_name"], BIT["side_name"] | BIT["aside_tag"])
_IS_ITEM = lookup("li dt dd")


@dataclass(frozen=True, slots=True)
class Columns:
    """The candidates of a page."""

    part: Ints
    is_right: NDArray[np.bool_]
    evidence: Floats  # a row a candidate, a column a name of COLUMN_NAMES
    of_leaf: Ints  # for each leaf the number of its candidate; -1 outside all


def columns_of(page: Page, scene: Scene, flags: Ints) -> Columns:
    """The side columns that a page may have; `flags` are the parts' names."""
    parts = scene.parts
    narrow, of_leaf = outermost(scene, COLUMN_SHARE, is_across=True)
    first, end = parts.first_leaf[narrow], parts.end_leaf[narrow]
    if len(narrow) > MAX_NARROW:
        largest = np.sort(np.argsort(first - end, kind="stable")[:MAX_NARROW])
    else:
        largest = np.arange(len(narrow))
    boxes = scene.rectangles[narrow]
    chosen, is_right, number = sweep_candidates(boxes, first, end, largest, MIN_LEAVES, MIN_PX, OUTER_SHARE)
    part, box, first, end = narrow[chosen], boxes[chosen], first[chosen], end[chosen]
    nears = np.exp(sweep_nears(box, is_right, first, end, scene.height))
    runs = sweep_runs(box, is_right, scene.height)
    siblings = sweep_siblings(part, is_right, scene.rectangles, parts.parent, parts.last)
    beside = sweep_beside(box, is_right, scene.boxes, scene.letters + LEAF_WEIGHT, scene.long_text)
    node = page.leaves.node
    is_item = _IS_ITEM[page.nodes.tag[node]] | _IS_ITEM[page.nodes.tag[page.nodes.parent[node]]]
    text_links = scene.is_text * page.leaves.is_link
    written = sweep_written(first, end, scene.letters, scene.long_text, is_item, text_links)
    evidence = sweep_columns(
        box,
        is_right,
        nears,
        runs,
        siblings,
        beside,
        scene.link_density[part],
        written,
        flags[part],
        _PLAIN_BITS,
        _SIDE_BITS,
        (scene.height, COLUMN_SHARE, LEFT_SHARE),
    )
    return Columns(part, is_right, evidence, np.append(number, -1)[of_leaf])
