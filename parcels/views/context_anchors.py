"""Context features of place: before, in, beside or behind the page's running text, and far from or near its headline.

The running text is guessed from long blocks with few links, the headline from h1 and the page's own title. Both are
guesses without labels; the learners weigh what they are worth.
"""

from dataclasses import dataclass

import numpy as np

from parcels.compiled import loaded
from parcels.views.ancestors import nearest
from parcels.views.arrays import safe
from parcels.views.look import INSIDE, Column, Floats, Ints, Look

group_loops = loaded("parcels.views.group_loops")  # None where it is not compiled: the same by NumPy, slower

MIN_CHARS = 80  # of a paragraph
MAX_LINK_SHARE = 0.35
SHARE = 0.6  # of the running text that an element must hold to be on the way down to it
FAR = 30  # blocks


@dataclass(frozen=True, slots=True)
class Anchors:
    """Where a page's running text and headline are."""

    mass: Floats  # of each block: characters of running text
    of_node: Floats  # of each node: the share of the running text below it
    main: int  # the row of the element that holds most of the running text
    common: Ints  # of each block: the lowest ancestor of its container that is on the way from the root to `main`
    branch: Ints  # of each block: the child of `common` that it stands in (or is)
    first: int  # the first and the last block of running text inside `main`
    last: int
    title: int  # the block that is most likely the headline; -1 without


def anchors(look: Look) -> Anchors:
    """The anchors of a page."""
    nodes, size = look.page.nodes, len(look)
    if group_loops is not None and size:
        mass, of_node = np.empty(size, np.float32), np.empty(len(nodes), np.float32)
        common, branch = np.empty(size, np.int64), np.empty(size, np.int64)
        main, first, last, title = group_loops.anchors(
            look.chars, look.link_share, look.leaf_chars, look.groups.block_of_leaf, nodes.first_leaf, nodes.end_leaf,
            look.container, nodes.parent, look.title_overlap, look.inside.view(np.uint8), *_WEIGHED, MIN_CHARS,
            MAX_LINK_SHARE, SHARE, FAR, mass, of_node, common, branch,
        )  # fmt: skip
        return Anchors(mass, of_node, main, common, branch, first, last, title)
    is_running = (look.chars >= MIN_CHARS) & (look.link_share <= MAX_LINK_SHARE)
    mass = np.where(is_running, look.chars * (1 - look.link_share), 0).astype(np.float32)
    of_leaf = mass[look.groups.block_of_leaf] * look.leaf_chars / np.maximum(look.chars, 1)[look.groups.block_of_leaf]
    before = np.concatenate(([0.0], np.cumsum(of_leaf, dtype=np.float64)))
    below = before[nodes.end_leaf] - before[nodes.first_leaf]
    whole = max(float(below[0]), 1e-9) if len(below) else 1.0
    of_node = (below / whole).astype(np.float32)
    is_on_way = of_node >= SHARE
    is_on_way[:1] = True
    main = int(np.flatnonzero(is_on_way)[-1])
    start, end = int(nodes.first_leaf[main]), int(nodes.end_leaf[main])
    inside = np.zeros(len(look), np.bool_)
    if end > start:
        inside[look.groups.block_of_leaf[start] : look.groups.block_of_leaf[end - 1] + 1] = True
    running = np.flatnonzero(inside & (mass > 0))
    first, last = (int(running[0]), int(running[-1])) if len(running) else (len(look), len(look))
    common = nearest(look, is_on_way)
    return Anchors(mass, of_node, main, common, _branch(look, common), first, last, _headline(look, first))


_WEIGHED = tuple(INSIDE.index(tag) for tag in ("h1", "h2", "nav"))  # by _headline


def _headline(look: Look, first: int) -> int:
    """The block that agrees best with the page's title; an h1 and the last before the running text are preferred."""
    if not len(look):
        return -1
    places = np.arange(len(look))
    score = 2 * look.title_overlap + look.is_inside("h1") + 0.3 * look.is_inside("h2") - 0.5 * look.is_inside("nav")
    score = score - 0.02 * np.minimum(np.abs(first - places), FAR) - 0.3 * (places > first)
    best = int(score.argmax())
    return best if score[best] > 0.5 else -1


def inside_main(look: Look) -> Floats:
    """1 inside the element that holds most of the running text."""
    nodes, main = look.page.nodes, look.anchors.main
    return np.asarray((look.container >= main) & (look.container <= nodes.last[main]), np.float32)


def levels_off_main(look: Look) -> Floats:
    """Elements from the block's container up to the way from the root to the running text."""
    depth = look.page.nodes.depth
    return np.asarray(np.minimum(depth[look.container] - depth[look.anchors.common], 15), np.float32)


def levels_above_main(look: Look) -> Floats:
    """Elements from where the block's branch leaves that way down to the running text."""
    depth = look.page.nodes.depth
    return np.asarray(np.minimum(depth[look.anchors.main] - depth[look.anchors.common], 20), np.float32)


def branch_chars(look: Look) -> Floats:
    """Characters of the branch by which the block hangs off that way, on a logarithmic scale."""
    return np.log1p(look.groups.chars[look.branch])


def branch_link_share(look: Look) -> Floats:
    """Share of that branch's characters inside links."""
    at = look.branch
    return np.asarray(look.groups.linked[at] / np.maximum(look.groups.chars[at], 1), np.float32)


def branch_blocks(look: Look) -> Floats:
    """Blocks of that branch, on a logarithmic scale."""
    at = look.branch
    return np.asarray(np.log1p(look.groups.end_block[at] - look.groups.first_block[at]), np.float32)


def branch_mass(look: Look) -> Floats:
    """Share of the running text in that branch."""
    return look.anchors.of_node[look.branch]


def _branch(look: Look, common: Ints) -> Ints:
    at, parent = look.container.copy(), look.page.nodes.parent
    climbing = np.flatnonzero((at != common) & (parent[at] != common))
    while len(climbing):
        at[climbing] = np.maximum(parent[at[climbing]], 0)
        climbing = climbing[(at[climbing] != common[climbing]) & (parent[at[climbing]] != common[climbing])]
    return at


def parent_mass(look: Look) -> Floats:
    """Share of the running text in the container's parent."""
    return look.anchors.of_node[look.parent]


def after_first(look: Look) -> Floats:
    """Blocks from the first of the running text to this one: negative before it."""
    return np.asarray(np.clip(np.arange(len(look)) - look.anchors.first, -FAR, FAR), np.float32)


def after_last(look: Look) -> Floats:
    """Blocks from the last of the running text to this one: negative before it."""
    return np.asarray(np.clip(np.arange(len(look)) - look.anchors.last, -FAR, FAR), np.float32)


def after_title(look: Look) -> Floats:
    """Blocks from the headline to this one: negative before it, 2 FAR where no headline is known."""
    if look.anchors.title < 0:
        return np.full(len(look), 2 * FAR, np.float32)
    return np.asarray(np.clip(np.arange(len(look)) - look.anchors.title, -FAR, FAR), np.float32)


def running_before(look: Look) -> Floats:
    """Blocks back to the last block of running text, up to FAR."""
    places = np.arange(len(look))
    seen = np.maximum.accumulate(np.where(look.anchors.mass > 0, places, -FAR))
    return np.asarray(np.minimum(places - seen, FAR), np.float32)


def running_after(look: Look) -> Floats:
    """Blocks on to the next block of running text, up to FAR."""
    places = np.arange(len(look))
    seen = np.minimum.accumulate(np.where(look.anchors.mass > 0, places, len(look) + FAR)[::-1])[::-1]
    return np.asarray(np.minimum(seen - places, FAR), np.float32)


def running_share_before(look: Look) -> Floats:
    """Share of the running text that stands before the block."""
    mass = look.anchors.mass
    return np.asarray((np.cumsum(mass) - mass) / max(float(mass.sum()), 1.0), np.float32)


def _median_of_running(look: Look, column: int) -> float:
    boxes, mass = look.box[:, column], look.anchors.mass
    keep = (mass > 0) & ~np.isnan(boxes)
    if not keep.any():
        return float("nan")
    order = np.argsort(boxes[keep], kind="stable")
    weights = np.cumsum(mass[keep][order])
    return float(boxes[keep][order][np.searchsorted(weights, weights[-1] / 2)])


def column_left(look: Look) -> Floats:
    """Left edge against that of the running text, as a share of the screen."""
    return safe((look.box[:, 0] - _median_of_running(look, 0)) / look.layout.width)


def column_right(look: Look) -> Floats:
    """Right edge against that of the running text, as a share of the screen."""
    return safe((look.box[:, 2] - _median_of_running(look, 2)) / look.layout.width)


def below_title(look: Look) -> Floats:
    """Distance below the headline in px, on a signed logarithmic scale."""
    if look.anchors.title < 0:
        return np.full(len(look), -1, np.float32)
    away = look.box[:, 1] - look.box[look.anchors.title, 1]
    return safe(np.sign(away) * np.log1p(np.abs(away)))


def is_headline(look: Look) -> Floats:
    """1 for the block taken for the headline."""
    return np.asarray(np.arange(len(look)) == look.anchors.title, np.float32)


ANCHORED: tuple[Column, ...] = (
    inside_main, levels_off_main, levels_above_main, branch_chars, branch_link_share, branch_blocks, branch_mass,
    parent_mass, after_first, after_last, after_title, running_before, running_after, running_share_before,
    column_left, column_right, below_title, is_headline,
)  # fmt: skip
