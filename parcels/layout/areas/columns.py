"""The evidence for a side column: one row a candidate, numbers from 0 to 1, one column a name.

A candidate is an outermost narrow part whose middle lies in the outer part of the page. Candidates on the same side
that stand over one another are a *stack*; a sidebar is often made of several.
"""

from dataclasses import dataclass

import numpy as np

from parcels.layout.areas.names import BIT
from parcels.layout.areas.scene import Bools, Floats, Ints, Scene, near, outermost
from parcels.page import Page
from parcels.tags import lookup

COLUMN_SHARE = 0.40  # of the page's width: a column is not wider
LEFT_SHARE, TEXT_SHARE = 0.25, 0.40  # a left column is a menu; the wider it is between these, the more likely text
OUTER_SHARE = 0.36  # the middle of a side column lies within this share of the page's width from its edge
MIN_LEAVES, MIN_PX = 2, 30.0  # a narrow part of fewer leaves that is lower than this is no column
MAX_NARROW = 150  # the largest narrow parts; a page of ten thousand is a table
SHORT_LINK, LONG_LINK = 30, 40  # letters: an entry of a menu is not longer, a headline is
EDGE_SHARE = 0.10  # of the page's width: lines are ragged, so a column's leaves end short of the page's edge
TALL_PX = 300.0
EQUAL_GAP = 1.0  # of its width: columns of a grid stand close; the same width across a wide text is another side
LEAF_WEIGHT = 10.0  # letters that a leaf is worth besides its own, since pictures count too

_PLAIN = (
    *("nav_name", "nav_tag", "header_name", "header_tag", "footer_name", "footer_tag"),
    *("article_tag", "main_tag", "content_name"),
)
_PLAIN_BITS: Ints = np.array([BIT[name] for name in _PLAIN])
_IS_ITEM = lookup("li dt dd")


@dataclass(frozen=True, slots=True)
class Columns:
    """The candidates of a page."""

    part: Ints
    is_right: Bools
    evidence: dict[str, Floats]
    of_leaf: Ints  # for each leaf the number of its candidate; -1 outside all


def columns_of(page: Page, scene: Scene, flags: Ints) -> Columns:
    """The side columns that a page may have; `flags` are the parts' names."""
    with np.errstate(invalid="ignore"):
        narrow, of_leaf = outermost(scene.parts, scene.rectangles[:, 2] - scene.rectangles[:, 0] <= COLUMN_SHARE)
    leaves = scene.parts.end_leaf[narrow] - scene.parts.first_leaf[narrow]
    is_kept = (leaves >= MIN_LEAVES) | (scene.rectangles[narrow, 3] - scene.rectangles[narrow, 1] >= MIN_PX)
    if len(narrow) > MAX_NARROW:
        is_kept[np.argsort(-leaves, kind="stable")[MAX_NARROW:]] = False
    middle = (scene.rectangles[narrow, 0] + scene.rectangles[narrow, 2]) / 2
    is_outer = is_kept & ((middle <= OUTER_SHARE) | (middle >= 1 - OUTER_SHARE))
    number = np.append(np.where(is_outer, np.cumsum(is_outer) - 1, -1), -1)
    part, is_right = narrow[is_outer], middle[is_outer] > 0.5
    box = scene.rectangles[part]
    evidence = {"bias": np.ones(len(part)), "equals": _has_equal(box, scene.rectangles[narrow[is_kept]])}
    evidence |= _shape(scene, box, is_right)
    stack, evidence["stack_high"] = _stack(scene, box, is_right)
    evidence |= _beside(scene, box, stack, is_right)
    evidence |= _text(page, scene, part)
    evidence |= _names(flags[part], is_right)
    return Columns(part, is_right, evidence, number[of_leaf])


def _shape(scene: Scene, box: Floats, is_right: Bools) -> dict[str, Floats]:
    """Its own rectangle."""
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    return {
        "narrow": ((COLUMN_SHARE - width) / COLUMN_SHARE).clip(0.0, 1.0),
        "outer": near(np.where(is_right, 1 - box[:, 2], box[:, 0]), EDGE_SHARE),
        "tall": 1 - near(height, TALL_PX),
        "slim": (height / scene.height > width).astype(float),
        "wide_left": np.where(is_right, 0.0, ((width - LEFT_SHARE) / (TEXT_SHARE - LEFT_SHARE)).clip(0.0, 1.0)),
        "ends_high": near(box[:, 3], 250.0),
        "begins_low": near(scene.height - box[:, 1], 250.0),
    }


def _stack(scene: Scene, box: Floats, is_right: Bools) -> tuple[Floats, Floats]:
    """The rectangle around the candidates over and under each on its side, and how much of the page they fill."""
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    shared = np.minimum(box[:, None, 2], box[:, 2]) - np.maximum(box[:, None, 0], box[:, 0])
    narrower = np.maximum(np.minimum(width[:, None], width), 0.01)
    is_stacked = (shared / narrower >= 0.5) & (is_right[:, None] == is_right)
    around = np.where(is_stacked[:, :, None], box * (1.0, 1.0, -1.0, -1.0), np.inf).min(axis=1, initial=np.inf)
    stack = around * (1.0, 1.0, -1.0, -1.0)
    filled = np.minimum(is_stacked @ height, stack[:, 3] - stack[:, 1])  # gaps between pieces do not count
    return stack, (filled / scene.height).clip(0.0, 1.0)


def _beside(scene: Scene, box: Floats, stack: Floats, is_right: Bools) -> dict[str, Floats]:
    """How much stands at the same height towards the middle of the page, and how wide it is."""
    is_seen = np.isfinite(scene.boxes[:, 0])
    left, top, right, bottom = scene.boxes[is_seen].T
    weight, long_text, wide = scene.letters[is_seen] + LEAF_WEIGHT, scene.long_text[is_seen], right - left
    width = np.tile(np.maximum(box[:, 2] - box[:, 0], 0.05), 2)
    around, on_right = np.concatenate([box, stack]), np.tile(is_right, 2)[:, None]
    is_level = (top < around[:, 3:]) & (bottom > around[:, 1:2])
    is_before, is_behind = is_level & (right <= around[:, :1] + 0.02), is_level & (left >= around[:, 2:3] - 0.02)
    is_inner = np.where(on_right, is_before, is_behind)
    inner, inner_text = (is_inner.astype(float) @ np.stack([weight, long_text], axis=1)).T
    level = np.maximum(is_level @ weight, 1.0)
    widest = (is_inner * wide).max(axis=1, initial=0.0)
    both = {
        "wide": np.minimum(widest / width, 3.0) / 3,
        "wider": (is_inner & (wide > 1.3 * width[:, None])) @ weight / np.maximum(inner, 1.0),
        "text": inner_text / max(float(long_text.sum()), 1.0),
        "share": inner / level,
    }
    count = len(box)
    outer = np.where(on_right[:count], is_behind[:count], is_before[:count]) @ weight
    return {
        **{f"beside_{name}": values[:count] for name, values in both.items()},
        "beside_broad": (widest[:count] >= 0.3).astype(float),
        "alone": (inner[:count] <= 0).astype(float),
        "more_outside": outer / level[:count],
        **{f"stack_beside_{name}": values[count:] for name, values in both.items()},
    }


def _text(page: Page, scene: Scene, part: Ints) -> dict[str, Floats]:
    """What is written in it."""
    first, end = scene.parts.first_leaf[part], scene.parts.end_leaf[part]
    is_link = page.leaves.is_link & scene.is_text
    is_item = _IS_ITEM[page.nodes.tag[page.leaves.node]] | _IS_ITEM[page.nodes.tag[page.nodes.parent[page.leaves.node]]]
    is_short, is_headline = is_link & (scene.letters <= SHORT_LINK), is_link & (scene.letters > LONG_LINK)
    total = np.zeros((5, len(is_link) + 1))
    np.cumsum([scene.letters, scene.long_text, is_item, is_short, is_headline], axis=1, out=total[:, 1:])
    letters, long_text, items, short, long = total[:, end] - total[:, first]
    count = (end - first).astype(float)
    height = scene.rectangles[part, 3] - scene.rectangles[part, 1]
    return {
        "links": scene.link_density[part],
        "long_text": long_text / np.maximum(letters, 1.0),
        "few": near(count - 1.0, 3.0) * near(height, TALL_PX),  # one high advertisement is a column
        "many": (count / 30).clip(0.0, 1.0),
        "items": items / count,
        "short_links": short / count,
        "long_links": long / count,
        "wordy": (letters / count / 100).clip(0.0, 1.0),
    }


def _names(flags: Ints, is_right: Bools) -> dict[str, Floats]:
    """What it and the parts around it are called; `left` and `right` count as the own or the other side."""
    found = dict(zip(_PLAIN, ((flags & _PLAIN_BITS[:, None]) > 0).astype(float), strict=True))
    left, right = (flags & BIT["left_name"]) > 0, (flags & BIT["right_name"]) > 0
    found["own_side_name"] = np.where(is_right, right, left).astype(float)
    found["other_side_name"] = np.where(is_right, left, right).astype(float)
    found["side_name"] = ((flags & (BIT["side_name"] | BIT["aside_tag"])) > 0).astype(float)
    return found


def _has_equal(box: Floats, narrow: Floats) -> Floats:
    """1 where another narrow part close by is about as wide and begins at the same height: a column of a grid."""
    width, other = np.maximum(box[:, 2] - box[:, 0], 0.01)[:, None], narrow[:, 2] - narrow[:, 0]
    is_level = np.abs(narrow[:, 1] - box[:, 1:2]) <= 20
    is_apart = (narrow[:, 0] >= box[:, 2:3] - 0.02) | (narrow[:, 2] <= box[:, :1] + 0.02)
    is_alike = (other >= 0.8 * width) & (other <= 1.25 * width)
    gap = np.maximum(narrow[:, 0] - box[:, 2:3], box[:, :1] - narrow[:, 2])
    found: Floats = (is_level & is_apart & is_alike & (gap <= EQUAL_GAP * width)).any(axis=1).astype(float)
    return found
