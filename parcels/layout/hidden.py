"""Which leaves a reader cannot see, and why: the paper's note on cheating search engines (Kovacevic et al. 2003, 1).

Such leaves are kept and marked. In doubt a leaf is taken to be seen: a background picture, a half-transparent colour or
a box that is placed freely over others says nothing certain about what shines through.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded
from parcels.css.style import Display, Position, Styles, Unit
from parcels.layout.boxes import Boxes
from parcels.layout.hidden_limits import (
    ALIKE,
    ALPHA_OPAQUE,
    CUTS_NOTHING,
    IS_PICTURE,
    LEAST_FONT_PX,
    LEAST_OPACITY,
    MOST_AT_ONCE,
    MOST_COVERS,
    MOST_PAIRS,
    OPAQUE,
    REASONS,
    SEEN_PX,
    WHITE,
)
from parcels.page import Page

_fast = loaded("parcels.layout.hidden_fast")

_NONE, _PX = int(Display.NONE), int(Unit.PX)
_STATIC, _RELATIVE, _ABSOLUTE, _FIXED = (
    int(kind) for kind in (Position.STATIC, Position.RELATIVE, Position.ABSOLUTE, Position.FIXED)
)
_FREE = (_ABSOLUTE, _FIXED)
_COVERED = REASONS.index("covered")


def hidden_reasons(page: Page, styles: Styles, nodes: Boxes, leaves: Boxes) -> tuple[str | None, ...]:
    """Of each leaf None, or the first of display, visibility, size, off-screen, colour, covered that hides it."""
    if not len(page.leaves):
        return ()
    known = _fast.reasons(page, styles, nodes, leaves, page.leaves.kind) if _fast is not None else None
    found, boxes, covers = known or numbered_reasons(page, styles, nodes, leaves)
    if len(covers):
        found[_covered(page, styles, nodes, boxes, covers, found == 0)] = _COVERED
    if known:
        names: tuple[str | None, ...] = _fast.named(found, REASONS)
        return names
    return tuple([REASONS[number] for number in found.tolist()])


def numbered_reasons(
    page: Page, styles: Styles, nodes: Boxes, leaves: Boxes
) -> tuple[NDArray[np.int8], Boxes, NDArray[np.intp]]:
    """The number in REASONS of each leaf's but for `covered`, the boxes of all without NaN, and what may cover leaves.

    The compiled twin of this is `parcels.layout.hidden_fast`.
    """
    node = page.leaves.node
    is_text = np.array([kind == "text" for kind in page.leaves.kind], np.bool_)
    no_box = np.isnan(leaves[:, 0]) | (styles.display[node] == _NONE)
    boxes = np.where(np.isnan(leaves), np.float32(0), leaves)
    x, y, w, h = boxes.T
    is_faint = ~styles.is_visible[node] | (styles.opacity[node] < LEAST_OPACITY)
    is_small = (w < SEEN_PX) | (h < SEEN_PX) | (is_text & (styles.font_size[node] < LEAST_FONT_PX))
    is_off = (x + w <= 0) | (y + h <= 0)
    is_cut = _cut_off(page, styles, nodes, boxes)
    is_open = ~(no_box | is_faint | is_small | is_off | is_cut)
    marks = {
        "colour": _invisible_ink(page, styles, is_text & is_open),
        "off-screen": is_off,
        "size": is_small | (is_cut & ~is_off),
        "visibility": is_faint,
        "display": no_box,
    }
    found = np.zeros(len(leaves), np.int8)
    for reason, mark in marks.items():  # the first reason is written last
        found[mark] = REASONS.index(reason)
    return found, boxes, _covers(page, styles, nodes)


def _cut_off(page: Page, styles: Styles, nodes: Boxes, boxes: Boxes) -> NDArray[np.bool_]:
    """Leaves of which nothing lies inside a box around them that hides what overflows it, or that is clipped away."""
    first, end = page.nodes.first_leaf, page.nodes.end_leaf
    found = np.zeros(len(boxes), np.bool_)
    for row in _with_leaves(page, styles, styles.clip_hidden.nonzero()[0]).tolist():
        found[first[row] : end[row]] = True
    rows = _with_leaves(page, styles, styles.overflow_hidden.nonzero()[0])
    if len(rows):
        rows = rows[~CUTS_NOTHING[page.nodes.tag[rows]] & (nodes[rows, 2] >= 0)]
    while len(rows):  # as many boxes at once as their leaves allow
        some = max(1, int(np.searchsorted(np.cumsum(end[rows] - first[rows]), MOST_AT_ONCE)))
        _cut_by(page, styles, nodes, boxes, rows[:some], found)
        rows = rows[some:]
    return found


def _with_leaves(page: Page, styles: Styles, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The rows, few of a page if any, that hold leaves and are shown."""
    if not len(rows):
        return rows
    found: NDArray[np.intp] = rows[
        (page.nodes.end_leaf[rows] > page.nodes.first_leaf[rows]) & (styles.display[rows] != _NONE)
    ]
    return found


def _cut_by(
    page: Page, styles: Styles, nodes: Boxes, boxes: Boxes, rows: NDArray[np.intp], found: NDArray[np.bool_]
) -> None:
    """Mark what boxes cut off: one array operation a step for all their leaves."""
    first, end = page.nodes.first_leaf, page.nodes.end_leaf
    counts = end[rows] - first[rows]
    starts = np.cumsum(counts) - counts
    leaves = np.arange(int(counts.sum())) + np.repeat(first[rows] - starts, counts)
    x, y, w, h = boxes[leaves].T
    holders = nodes[rows]
    edges = (holders[:, :2].astype(np.float64) + holders[:, 2:]).astype(np.float32)  # right and bottom
    left, top = np.repeat(holders[:, 0], counts), np.repeat(holders[:, 1], counts)
    right, bottom = np.repeat(edges[:, 0], counts), np.repeat(edges[:, 1], counts)
    is_out = np.minimum(x + w, right) - np.maximum(x, left) < SEEN_PX
    is_out |= np.minimum(y + h, bottom) - np.maximum(y, top) < SEEN_PX
    if not is_out.any():
        return
    for n in np.logical_or.reduceat(is_out, starts).nonzero()[0].tolist():
        row, part = int(rows[n]), is_out[starts[n] : starts[n] + counts[n]]
        _let_out(page, styles, row, part)
        found[first[row] : end[row]] |= part


def _let_out(page: Page, styles: Styles, row: int, is_out: NDArray[np.bool_]) -> None:
    """An absolute box is cut off only by what holds it: take back what was said of those held from farther up."""
    position, parent = styles.position, page.nodes.parent
    if position[row] != _STATIC:
        return
    last, first = int(page.nodes.last[row]), int(page.nodes.first_leaf[row])
    is_free = (position[row : last + 1] == _ABSOLUTE) | (position[row : last + 1] == _FIXED)
    for free in (is_free.nonzero()[0][:MOST_COVERS] + row).tolist():
        over = int(parent[free])
        while over > row and position[over] == _STATIC:
            over = int(parent[over])
        if over <= row:
            is_out[page.nodes.first_leaf[free] - first : page.nodes.end_leaf[free] - first] = False


def _invisible_ink(page: Page, styles: Styles, is_asked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Texts in the colour of what is behind them, or in no colour at all."""
    colours = styles.colour[page.leaves.node]
    found: NDArray[np.bool_] = is_asked & ((colours & 0xFF) <= 2)
    inks: list[int] = (colours >> 8).tolist()
    backgrounds: list[int] = styles.background.tolist()
    papers = {ground >> 8 for ground in set(backgrounds) if ground & 0xFF} | {WHITE}
    near = _near(set(inks), papers)
    if near:
        behind: dict[int, int | None] = {-1: WHITE}
        for leaf in (is_asked & ~found).nonzero()[0].tolist():
            if inks[leaf] in near:
                paper = _paper(page, styles, backgrounds, behind, int(page.leaves.node[leaf]))
                found[leaf] = paper is not None and _are_alike(inks[leaf], paper)
    return found


def _near(inks: set[int], papers: set[int]) -> set[int]:
    """The inks that look like any of the papers; on most pages few texts have the colour of any background at all.

    >>> _near({0x000000, 0xFEFEFC}, {0xFFFFFF}) == {0xFEFEFC}
    True
    """
    if len(inks) * len(papers) > MOST_PAIRS:
        return inks
    of_papers = [(paper >> 16, paper >> 8 & 0xFF, paper & 0xFF) for paper in papers]
    found = set()
    for ink in inks:
        red, green, blue = ink >> 16, ink >> 8 & 0xFF, ink & 0xFF
        for one, other, third in of_papers:
            if abs(red - one) <= ALIKE and abs(green - other) <= ALIKE and abs(blue - third) <= ALIKE:
                found.add(ink)
                break
    return found


def _paper(page: Page, styles: Styles, backgrounds: list[int], behind: dict[int, int | None], row: int) -> int | None:
    """The colour behind a node's text; None where it cannot be told. What is found is noted for all on the way up."""
    climbed = []
    while row not in behind:
        climbed.append(row)
        alpha = backgrounds[row] & 0xFF
        if styles.has_background_image[row]:
            behind[row] = None
        elif alpha >= ALPHA_OPAQUE:
            behind[row] = backgrounds[row] >> 8
        elif alpha or styles.position[row] in _FREE:
            behind[row] = None
        else:
            row = int(page.nodes.parent[row])
    for below in climbed:
        behind[below] = behind[row]
    return behind[row]


def _are_alike(one: int, other: int) -> bool:
    """Whether two colours (0xRRGGBB) look the same.

    >>> _are_alike(0xFFFFFF, 0xFEFEFC), _are_alike(0xFFFFFF, 0xEEEEEE)
    (True, False)
    """
    return all(abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) <= ALIKE for shift in (0, 8, 16))


def _covers(page: Page, styles: Styles, nodes: Boxes) -> NDArray[np.intp]:
    """The opaque boxes that are placed over others."""
    rows = (styles.position != _STATIC).nonzero()[0]
    if not len(rows):
        return np.zeros(0, np.intp)
    position, height = styles.position[rows], styles.z_index[rows]
    height = np.where(np.isnan(height), np.float32(0), height)
    is_free = (position == _ABSOLUTE) | (position == _FIXED) | ((position == _RELATIVE) & (height > 0))
    # A picture counts where the page states its size; others may be of any size, or gone.
    is_picture = IS_PICTURE[page.nodes.tag[rows]]
    is_picture &= (styles.width.unit[rows] == _PX) & (styles.height.unit[rows] == _PX)
    is_opaque = ((styles.background[rows] & 0xFF) >= ALPHA_OPAQUE) | is_picture
    is_cover = is_free & is_opaque & styles.is_visible[rows] & (styles.opacity[rows] > OPAQUE) & (height >= 0)
    is_cover &= (nodes[rows, 2] > SEEN_PX) & (nodes[rows, 3] > SEEN_PX) & (styles.display[rows] != _NONE)
    covers: NDArray[np.intp] = rows[is_cover & ~styles.clip_hidden[rows]]
    return covers


def _covered(
    page: Page,
    styles: Styles,
    nodes: Boxes,
    boxes: Boxes,
    covers: NDArray[np.intp],
    is_asked: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Leaves that lie wholly below an opaque box that is placed over them and does not hold them."""
    found = np.zeros(len(boxes), np.bool_)
    if not len(covers) or not is_asked.any():
        return found
    if len(covers) > MOST_COVERS:
        covers = np.sort(covers[np.argsort(-(nodes[covers, 2] * nodes[covers, 3]))[:MOST_COVERS]])
    asked = is_asked.nonzero()[0]
    asked = asked[np.argsort(boxes[asked, 1], kind="stable")]
    tops, places = boxes[asked, 1], nodes[covers].astype(np.float64)
    lows = np.searchsorted(tops, places[:, 1] - 1)
    ends = np.searchsorted(tops, places[:, 1] + places[:, 3])
    level = None
    for cover, (left, top, wide, high), low, end in zip(
        covers.tolist(), places.tolist(), lows.tolist(), ends.tolist(), strict=True
    ):
        if low >= end:
            continue
        near = asked[low:end]
        x, y, w, h = boxes[near].T
        row = page.leaves.node[near]
        is_in = (x >= left - 1) & (x + w <= left + wide + 1) & (y + h <= top + high + 1)
        is_in &= (row < cover) | (row > page.nodes.last[cover])  # what the box holds is not below it
        if is_in.any():
            level = _levels(page, styles) if level is None else level
            near, row = near[is_in], row[is_in]
            found[near[(level[cover] > level[row]) | ((level[cover] == level[row]) & (cover > row))]] = True
    return found


def _levels(page: Page, styles: Styles) -> NDArray[np.float64]:
    """How high a node is painted: the z-index of the outermost placed box around it that states one; in flow -0.5."""
    is_placed = (styles.position != _STATIC).tolist()
    own = styles.z_index.tolist()
    levels: list[float] = []
    for row, over in enumerate(page.nodes.parent.tolist()):
        level = levels[over] if over >= 0 else -0.5
        if is_placed[row] and level in (-0.5, 0.0):
            level = own[row] if own[row] == own[row] else 0.0
        levels.append(level)
    return np.array(levels)
