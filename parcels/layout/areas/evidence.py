"""The better recogniser: evidence for every leaf, then the parts of the tree that it speaks for.

1. Each leaf gets a score for header and footer, each candidate for a side column one for being a side: weighted sums of
   the evidence in `features` and `columns`. The weights are plain numbers in `weights`: those of header and footer were
   set by hand and then moved by `python -m benchmarks.train_areas`; those of the columns are set by hand.
2. The page is cut where that explains the scores best: a whole subtree goes to an area when its leaves' advantage over
   the centre, taken together, is larger than the price of one more part. What no part covers is the centre.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.columns import Columns, columns_of
from parcels.layout.areas.features import Scene, features_of, scene_of
from parcels.layout.areas.map import CENTRE, FOOTER, HEADER, LEFT, RIGHT, AreaMap, paint
from parcels.layout.areas.names import inherited_flags
from parcels.layout.areas.weights import COLUMN_WEIGHTS, LEAF_WEIGHTS
from parcels.layout.boxes import AREAS, Layout
from parcels.page import Page

Floats = NDArray[np.float64]

_LEAF_WEIGHTS: Floats = np.array(list(LEAF_WEIGHTS.values()))
_COLUMN_WEIGHTS: Floats = np.array(list(COLUMN_WEIGHTS.values()))

CLIP = 6.0  # the most that one leaf may say for or against an area, as a difference of logarithms
PRICE = 0.5  # of one more part, on the same scale
BAR_SHARE, BAR_PX, BAR_LINKS, BAR_LEAVES, BAR_GAP_PX = 0.4, 60.0, 0.8, 3, 30.0  # what is a bar of links


def recognise(page: Page, layout: Layout) -> AreaMap:
    """The areas by weighed evidence."""
    if not len(page.leaves):
        return paint(page, [], [], "evidence")
    scene, leaves, columns = evidence_of(page, layout)
    frame = np.stack([leaves[name] for name in LEAF_WEIGHTS], axis=1) @ _LEAF_WEIGHTS
    side = np.stack([columns.evidence[name] for name in COLUMN_WEIGHTS], axis=1) @ _COLUMN_WEIGHTS
    regions, loose = partition(page, advantage(frame, side, columns), price=PRICE)
    areas = with_link_bars(page, scene, paint(page, regions, loose, "evidence"))
    return with_centre(page, areas)


def with_centre(page: Page, areas: AreaMap) -> AreaMap:
    """Every page has a centre: where all of it went elsewhere, the part with the most text is taken back."""
    if (areas.leaves == CENTRE).any():
        return areas
    letters = np.array([len(text) + 1 for text in page.leaves.text])
    most = int(np.argmax(np.bincount(areas.leaves, weights=letters, minlength=len(AREAS))))
    areas.nodes[areas.nodes == most] = CENTRE
    areas.leaves[areas.leaves == most] = CENTRE
    return areas


def with_link_bars(page: Page, scene: Scene, areas: AreaMap) -> AreaMap:
    """A bar of links that touches the header from below belongs to it."""
    is_header = areas.leaves == HEADER
    if not is_header.any() or np.isnan(scene.boxes[is_header, 3]).all():
        return areas
    lowest = float(np.nanmax(scene.boxes[is_header, 3]))
    first, end = page.nodes.first_leaf, page.nodes.end_leaf
    left, top, right, bottom = scene.nodes.T
    with np.errstate(invalid="ignore"):
        is_bar = (right - left >= BAR_SHARE) & (bottom - top <= BAR_PX) & (scene.link_density >= BAR_LINKS)
        is_bar &= (end - first >= BAR_LEAVES) & (areas.nodes == CENTRE) & (bottom > lowest)
    for row in np.flatnonzero(is_bar)[np.argsort(top[is_bar], kind="stable")].tolist():
        part = slice(int(first[row]), int(end[row]))
        if top[row] <= lowest + BAR_GAP_PX and (areas.leaves[part] == CENTRE).all():
            areas.nodes[row : int(page.nodes.last[row]) + 1] = HEADER
            areas.leaves[part] = HEADER
            lowest = max(lowest, float(bottom[row]))
    return areas


def evidence_of(page: Page, layout: Layout) -> tuple[Scene, dict[str, Floats], Columns]:
    """All evidence: for header and footer a row a leaf, for the sides a row a candidate."""
    scene = scene_of(page, layout)
    flags = np.array(inherited_flags(page, scene.leaf_share.tolist()), np.int64)
    return scene, features_of(page, scene, flags), columns_of(page, scene, flags)


def advantage(frame: Floats, side: Floats, columns: Columns) -> Floats:
    """What each leaf says for each area against the centre, kept within bounds; a column speaks for its leaves."""
    gains = np.full((len(frame), len(AREAS)), -CLIP)
    gains[:, [HEADER, FOOTER]] = frame
    gains[:, CENTRE] = 0.0
    inside = np.flatnonzero(columns.of_leaf >= 0)
    number = columns.of_leaf[inside]
    gains[inside, np.where(columns.is_right[number], RIGHT, LEFT)] = side[number]
    kept: Floats = np.clip(gains, -CLIP, CLIP)
    return kept


def partition(page: Page, gains: Floats, *, price: float) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The subtrees (row, area) and single leaves (leaf, area) that gain most over a page that is all centre."""
    nodes = page.nodes
    running = np.concatenate([np.zeros((1, gains.shape[1])), np.cumsum(gains, axis=0)])
    whole = running[nodes.end_leaf] - running[nodes.first_leaf] - price
    whole[:, CENTRE] = 0.0
    whole_area = np.argmax(whole, axis=1).tolist()
    whole_gain = whole.max(axis=1).tolist()
    alone = gains - price
    alone[:, CENTRE] = 0.0
    alone_area = np.argmax(alone, axis=1).tolist()
    alone_gain = alone.max(axis=1)

    parent = nodes.parent.tolist()
    parts = np.bincount(page.leaves.node, weights=alone_gain, minlength=len(nodes)).tolist()
    takes_whole = [False] * len(nodes)
    for row in range(len(nodes) - 1, -1, -1):  # children come before their parents
        best = parts[row]
        if whole_gain[row] > 0 and whole_gain[row] >= best:
            takes_whole[row] = True
            best = whole_gain[row]
        if row:
            parts[parent[row]] += best

    regions = []
    is_covered = [False] * len(nodes)
    for row, above in enumerate(parent):
        if above >= 0 and is_covered[above]:
            is_covered[row] = True
        elif takes_whole[row]:
            is_covered[row] = True
            regions.append((row, whole_area[row]))
    loose = [
        (leaf, alone_area[leaf])
        for leaf, row in enumerate(page.leaves.node.tolist())
        if not is_covered[row] and alone_area[leaf] != CENTRE
    ]
    return regions, loose
