"""The better recogniser: evidence for every leaf, then the parts of the page that it speaks for.

1. Each leaf gets a score for header and footer, each candidate for a side column one for being a side: weighted sums of
   the evidence in `features` and `columns`. The weights are plain numbers in `weights`: set by hand and then moved by
   `python -m benchmarks.train_areas`.
2. The page is cut where that explains the scores best (`partition`).
"""

import numpy as np

from parcels.layout.areas.columns import COLUMN_NAMES, Columns, columns_of
from parcels.layout.areas.features import LEAF_NAMES, features_of
from parcels.layout.areas.map import CENTRE, HEADER, AreaMap, paint
from parcels.layout.areas.names import inherited_flags
from parcels.layout.areas.partition import partition
from parcels.layout.areas.scene import Scene, scene_of
from parcels.layout.areas.sweep_arrays import Floats
from parcels.layout.areas.sweeps_frame import sweep_bars, sweep_gains
from parcels.layout.areas.weights import COLUMN_WEIGHTS, LEAF_WEIGHTS
from parcels.layout.boxes import AREAS, Layout
from parcels.page import Page

# Evidence that is not yet learned weighs nothing.
_LEAF_WEIGHTS: Floats = np.array([LEAF_WEIGHTS.get(name, (0.0, 0.0)) for name in LEAF_NAMES])
_COLUMN_WEIGHTS: Floats = np.array([COLUMN_WEIGHTS.get(name, 0.0) for name in COLUMN_NAMES])

CLIP = 6.0  # the most that one leaf may say for or against an area, as a difference of logarithms
PRICE = 1.0  # of one more part, on the same scale
FURTHER = 3.0  # what a piece of an area must gain besides the area's largest
BAR_GAP_PX = 30.0  # between the header and a bar of links that belongs to it


def recognise(page: Page, layout: Layout) -> AreaMap:
    """The areas by weighed evidence."""
    if not len(page.leaves):
        return paint(page, [], [], "evidence")
    scene, leaves, columns = evidence_of(page, layout)
    gains = advantage(leaves @ _LEAF_WEIGHTS, columns.evidence @ _COLUMN_WEIGHTS, columns)
    return areas_of(page, scene, gains)


def evidence_of(page: Page, layout: Layout) -> tuple[Scene, Floats, Columns]:
    """All evidence: for header and footer a row a leaf, for the sides a row a candidate."""
    scene = scene_of(page, layout)
    flags = inherited_flags(page, scene.parts, scene.leaf_share)
    return scene, features_of(page, scene, flags), columns_of(page, scene, flags)


def advantage(frame: Floats, side: Floats, columns: Columns) -> Floats:
    """What each leaf says for each area against the centre, kept within bounds; a column speaks for its leaves."""
    return sweep_gains(frame, side, columns.is_right, columns.of_leaf, CLIP)


def areas_of(page: Page, scene: Scene, gains: Floats) -> AreaMap:
    """The map that the leaves' gains ask for."""
    regions, loose = partition(scene.parts, gains, price=PRICE, further=FURTHER)
    areas = paint(page, [(int(scene.parts.row[part]), area) for part, area in regions], loose, "evidence")
    return with_centre(scene, with_link_bars(page, scene, areas))


def with_link_bars(page: Page, scene: Scene, areas: AreaMap) -> AreaMap:
    """A bar of links that touches the header from below belongs to it."""
    bottoms = scene.boxes[areas.leaves == HEADER, 3]
    lowest = max(bottoms[bottoms == bottoms].tolist(), default=None)  # what is not seen has no bottom: NaN
    if lowest is None:
        return areas
    parts, rectangles = scene.parts, scene.rectangles
    in_area = areas.nodes[parts.row]
    for bar in sweep_bars(rectangles, scene.link_density, parts.first_leaf, parts.end_leaf, in_area, lowest):
        leaves, row = slice(int(parts.first_leaf[bar]), int(parts.end_leaf[bar])), int(parts.row[bar])
        if rectangles[bar, 1] <= lowest + BAR_GAP_PX and (areas.leaves[leaves] == CENTRE).all():
            areas.nodes[row : int(page.nodes.last[row]) + 1] = HEADER
            areas.leaves[leaves] = HEADER
            lowest = max(lowest, float(rectangles[bar, 3]))
    return areas


def with_centre(scene: Scene, areas: AreaMap) -> AreaMap:
    """Every page has a centre: where all of it went elsewhere, the area with the most text is taken back."""
    if (areas.leaves == CENTRE).any():
        return areas
    most = int(np.argmax(np.bincount(areas.leaves, weights=scene.letters + 1, minlength=len(AREAS))))
    areas.nodes[areas.nodes == most] = CENTRE
    areas.leaves[areas.leaves == most] = CENTRE
    return areas
