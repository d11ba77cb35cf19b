"""The evidence for a side column: one row a candidate, numbers from 0 to 1, one column a name.

A candidate is an outermost narrow element whose middle lies in the outer part of the page. Candidates on the same side
that stand over one another are a *stack*; a sidebar is often made of several.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.features import LONG_TEXT, Floats, Ints, Scene, near, outermost, running
from parcels.layout.areas.names import BIT
from parcels.page import Page

COLUMN_SHARE = 0.40  # of the page's width: a column is not wider
LEFT_SHARE = 0.30  # a left column is a menu; what is wider is more likely text
OUTER_SHARE = 0.36  # the middle of a side column lies within this share of the page's width from its edge
MAX_CANDIDATES = 400  # the largest; a page of ten thousand small columns is a table
MAX_SIBLINGS = 40  # that are looked at for a grid

_PLAIN = (
    *("nav_name", "nav_tag", "header_name", "header_tag", "footer_name", "footer_tag"),
    *("article_tag", "main_tag", "content_name"),
)

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """The candidates of a page."""

    row: Ints  # of the element
    is_right: Bools
    evidence: dict[str, Floats]
    of_leaf: Ints  # for each leaf the number of its candidate; -1 outside all


def columns_of(page: Page, scene: Scene, flags: Ints) -> Columns:
    """The side columns that a page may have."""
    width = scene.nodes[:, 2] - scene.nodes[:, 0]
    column = outermost(page, width, COLUMN_SHARE)[page.leaves.node]
    rows = np.unique(column[column >= 0])
    middle = (scene.nodes[rows, 0] + scene.nodes[rows, 2]) / 2
    rows = rows[(middle <= OUTER_SHARE) | (middle >= 1 - OUTER_SHARE)]
    if len(rows) > MAX_CANDIDATES:
        rows = np.sort(rows[np.argsort(-scene.leaf_share[rows], kind="stable")[:MAX_CANDIDATES]])
    number = np.full(len(page.nodes) + 1, -1)
    number[rows] = np.arange(len(rows))
    box = scene.nodes[rows]
    is_right = (box[:, 0] + box[:, 2]) / 2 > 0.5
    evidence = {"bias": np.ones(len(rows)), "equals": _has_equal(page, scene, rows)}
    evidence |= _shape(scene, box, is_right)
    evidence |= _beside(scene, box, is_right)
    evidence |= _stack(scene, box, is_right)
    evidence |= _text(page, scene, rows)
    evidence |= _names(flags[rows], is_right)
    return Columns(rows, is_right, evidence, number[column])


def _shape(scene: Scene, box: Floats, is_right: Bools) -> dict[str, Floats]:
    """Its own box."""
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    return {
        "narrow": ((COLUMN_SHARE - width) / COLUMN_SHARE).clip(0.0, 1.0),
        "outer": near(np.where(is_right, 1 - box[:, 2], box[:, 0]), 0.05),
        "tall": 1 - near(height, 300.0),
        "slim": (height / scene.height > width).astype(float),
        "wide_left": (~is_right & (width > LEFT_SHARE)).astype(float),
        "ends_high": near(box[:, 3], 250.0),
        "begins_low": near(scene.height - box[:, 1], 250.0),
    }


def _beside(scene: Scene, box: Floats, is_right: Bools) -> dict[str, Floats]:
    """How much stands at the same height towards the middle of the page, and how wide it is."""
    is_seen = np.isfinite(scene.boxes[:, 0])
    leaves, weight = scene.boxes[is_seen], scene.letters[is_seen] + 10.0
    is_level = (leaves[None, :, 1] < box[:, None, 3]) & (leaves[None, :, 3] > box[:, None, 1])
    is_left_of, is_right_of = leaves[None, :, 2] <= box[:, None, 0] + 0.02, leaves[None, :, 0] >= box[:, None, 2] - 0.02
    is_inner = is_level & np.where(is_right[:, None], is_left_of, is_right_of)
    is_outer = is_level & np.where(is_right[:, None], is_right_of, is_left_of)
    inner, outer, level = is_inner @ weight, is_outer @ weight, is_level @ weight
    widest = (is_inner * (leaves[:, 2] - leaves[:, 0])).max(axis=1, initial=0.0)
    return {
        "beside_wide": np.minimum(widest / np.maximum(box[:, 2] - box[:, 0], 0.05), 3.0) / 3,
        "beside_broad": (widest >= 0.3).astype(float),
        "alone": (inner <= 0).astype(float),
        "more_outside": outer / np.maximum(level, 1.0),
    }


def _stack(scene: Scene, box: Floats, is_right: Bools) -> dict[str, Floats]:
    """The candidates over and under it on the same side."""
    width = box[:, 2] - box[:, 0]
    shared = np.minimum(box[:, None, 2], box[None, :, 2]) - np.maximum(box[:, None, 0], box[None, :, 0])
    narrower = np.maximum(np.minimum(width[:, None], width[None, :]), 0.01)
    is_stacked = (shared / narrower >= 0.5) & (is_right[:, None] == is_right[None, :])
    tops = np.where(is_stacked, box[None, :, 1], np.inf).min(axis=1, initial=np.inf)
    bottoms = np.where(is_stacked, box[None, :, 3], -np.inf).max(axis=1, initial=-np.inf)
    filled = np.minimum(is_stacked @ (box[:, 3] - box[:, 1]), bottoms - tops)  # gaps between pieces do not count
    return {"stack_high": (filled / scene.height).clip(0.0, 1.0)}


def _text(page: Page, scene: Scene, rows: Ints) -> dict[str, Floats]:
    """What is written in it."""
    first, end = page.nodes.first_leaf[rows], page.nodes.end_leaf[rows]
    plain = scene.letters - scene.link_letters
    long_text, letters = running(np.where(plain >= LONG_TEXT, plain, 0.0)), running(scene.letters)
    return {
        "links": scene.link_density[rows],
        "long_text": (long_text[end] - long_text[first]) / np.maximum(letters[end] - letters[first], 1.0),
        "few": near(np.maximum(end - first, 1.0) - 1.0, 3.0),
    }


def _names(flags: Ints, is_right: Bools) -> dict[str, Floats]:
    """What it and the elements around it are called; `left` and `right` count as the own or the other side."""
    found = {name: ((flags & BIT[name]) > 0).astype(float) for name in _PLAIN}
    left, right = (flags & BIT["left_name"]) > 0, (flags & BIT["right_name"]) > 0
    found["own_side_name"] = np.where(is_right, right, left).astype(float)
    found["other_side_name"] = np.where(is_right, left, right).astype(float)
    found["side_name"] = ((flags & (BIT["side_name"] | BIT["aside_tag"])) > 0).astype(float)
    return found


def _has_equal(page: Page, scene: Scene, rows: Ints) -> Floats:
    """1 where a sibling is about as wide and begins at the same height: a column of a grid."""
    found = np.zeros(len(rows))
    parent, last = page.nodes.parent.tolist(), page.nodes.last.tolist()
    boxes = scene.nodes.tolist()
    for number, row in enumerate(rows.tolist()):
        left, top, right, _ = boxes[row]
        above = parent[row]
        other, end, looked = above + 1, last[above] if above >= 0 else -1, 0
        while other <= end and looked < MAX_SIBLINGS:
            start, begins, stop, _ = boxes[other]
            is_level = abs(begins - top) <= 20 and (start >= right - 0.02 or stop <= left + 0.02)
            if other != row and is_level and 0.8 <= (stop - start) / max(right - left, 0.01) <= 1.25:
                found[number] = 1.0
                break
            other, looked = last[other] + 1, looked + 1
    return found
