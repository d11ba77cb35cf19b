"""The better recogniser: evidence for every leaf, then the parts of the page that it speaks for.

1. Each leaf gets a score for header and footer, each candidate for a side column one for being a side: weighted sums of
   the evidence in `features` and `columns`. The weights are plain numbers in `weights`: set by hand and then moved by
   `python -m benchmarks.train_areas`.
2. The page is cut where that explains the scores best (`partition`).
"""

import numpy as np

from parcels.layout.areas.columns import Columns, columns_of
from parcels.layout.areas.features import features_of
from parcels.layout.areas.map import CENTRE, FOOTER, HEADER, LEFT, RIGHT, AreaMap, paint
from parcels.layout.areas.names import inherited_flags
from parcels.layout.areas.partition import partition
from parcels.layout.areas.scene import Floats, Scene, scene_of
from parcels.layout.areas.weights import COLUMN_WEIGHTS, LEAF_WEIGHTS
from parcels.layout.boxes import AREAS, Layout
from parcels.page import Page

_LEAF_WEIGHTS: Floats = np.array(list(LEAF_WEIGHTS.values()))
_COLUMN_WEIGHTS: Floats = np.array(list(COLUMN_WEIGHTS.values()))

CLIP = 6.0  # the most that one leaf may say for or against an area, as a difference of logarithms
PRICE = 1.0  # of one more part, on the same scale
FURTHER = 3.0  # what a piece of an area must gain besides the area's largest
BAR_SHARE, BAR_PX, BAR_LINKS, BAR_LEAVES, BAR_GAP_PX = 0.4, 60.0, 0.8, 3, 30.0  # what is a bar of links


def recognise(page: Page, layout: Layout) -> AreaMap:
    """The areas by weighed evidence."""
    if not len(page.leaves):
        return paint(page, [], [], "evidence")
    scene, leaves, columns = evidence_of(page, layout)
    frame = np.array([leaves[name] for name in LEAF_WEIGHTS]).T @ _LEAF_WEIGHTS
    side = _COLUMN_WEIGHTS @ np.array([columns.evidence[name] for name in COLUMN_WEIGHTS])
    return areas_of(page, scene, advantage(frame, side, columns))


def evidence_of(page: Page, layout: Layout) -> tuple[Scene, dict[str, Floats], Columns]:
    """All evidence: for header and footer a row a leaf, for the sides a row a candidate."""
    scene = scene_of(page, layout)
    flags = inherited_flags(page, scene.parts, scene.leaf_share)
    return scene, features_of(page, scene, flags), columns_of(page, scene, flags)


def advantage(frame: Floats, side: Floats, columns: Columns) -> Floats:
    """What each leaf says for each area against the centre, kept within bounds; a column speaks for its leaves."""
    gains = np.full((len(frame), len(AREAS)), -CLIP)
    gains[:, [HEADER, FOOTER]] = frame
    gains[:, CENTRE] = 0.0
    inside = np.flatnonzero(columns.of_leaf >= 0)
    number = columns.of_leaf[inside]
    gains[inside, np.where(columns.is_right[number], RIGHT, LEFT)] = side[number]
    kept: Floats = gains.clip(-CLIP, CLIP)
    return kept


def areas_of(page: Page, scene: Scene, gains: Floats) -> AreaMap:
    """The map that the leaves' gains ask for."""
    regions, loose = partition(scene.parts, gains, price=PRICE, further=FURTHER)
    areas = paint(page, [(int(scene.parts.row[part]), area) for part, area in regions], loose, "evidence")
    return with_centre(scene, with_link_bars(page, scene, areas))


def with_link_bars(page: Page, scene: Scene, areas: AreaMap) -> AreaMap:
    """A bar of links that touches the header from below belongs to it."""
    bottoms = scene.boxes[areas.leaves == HEADER, 3]
    bottoms = bottoms[np.isfinite(bottoms)]
    if not len(bottoms):
        return areas
    lowest = float(bottoms.max())
    parts = scene.parts
    left, top, right, bottom = scene.rectangles.T
    with np.errstate(invalid="ignore"):
        is_bar = (right - left >= BAR_SHARE) & (bottom - top <= BAR_PX) & (scene.link_density >= BAR_LINKS)
        is_bar &= (parts.end_leaf - parts.first_leaf >= BAR_LEAVES) & (bottom > lowest)
        is_bar &= areas.nodes[parts.row] == CENTRE
    bars = np.flatnonzero(is_bar)
    for bar in bars[np.argsort(top[bars], kind="stable")].tolist():
        leaves, row = slice(int(parts.first_leaf[bar]), int(parts.end_leaf[bar])), int(parts.row[bar])
        if top[bar] <= lowest + BAR_GAP_PX and (areas.leaves[leaves] == CENTRE).all():
            areas.nodes[row : int(page.nodes.last[row]) + 1] = HEADER
            areas.leaves[leaves] = HEADER
            lowest = max(lowest, float(bottom[bar]))
    return areas


def with_centre(scene: Scene, areas: AreaMap) -> AreaMap:
    """Every page has a centre: where all of it went elsewhere, the area with the most text is taken back."""
    if (areas.leaves == CENTRE).any():
        return areas
    most = int(np.argmax(np.bincount(areas.leaves, weights=scene.letters + 1, minlength=len(AREAS))))
    areas.nodes[areas.nodes == most] = CENTRE
    areas.leaves[areas.leaves == most] = CENTRE
    return areas
