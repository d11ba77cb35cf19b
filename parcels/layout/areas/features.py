"""The evidence for header and footer: one row a leaf, numbers from 0 to 1, one column a name.

All of it is seen from where the leaf stands: its own rectangle; the outermost *strip* (a part around it that is low,
such as a header or a footer; *mute* if it holds little, and neither links nor legal words); what stands before and
after it; what the parts around it are called, and where the one that is called a footer ends.
"""

import numpy as np

from parcels.layout.areas.names import BIT, FLAGS
from parcels.layout.areas.notices import sweep_notices
from parcels.layout.areas.scene import Scene, outermost, sums
from parcels.layout.areas.sweep_arrays import Floats, Ints
from parcels.layout.areas.sweeps_frame import sweep_edges, sweep_leaves, sweep_named, sweep_rows, sweep_strips
from parcels.page import Page

STRIP_SHARE = 0.30  # of the page's height: a strip is not higher
STRIP_PX = 120.0  # and any that is no higher than this is one
_SHORT = 300  # letters: a longer text is no legal notice or link to one
_PLACE = ("bias", "top_near", "top_far", "bottom_near", "bottom_far", "down", "unseen")
_ENDS = ("first", "early", "last", "late", "footer_ends_low")
_ORDER = ("rank", "no_text_before", "no_text_after", "text_before", "rights", "after_rights")
_STRIP = (
    *("strip", "strip_wide", "strip_top_near", "strip_top_far", "strip_ends_high", "strip_bottom_near"),
    *(
        "strip_bottom_far",
        "strip_begins_low",
        "strip_mute",
        "strip_links",
        "strip_share",
        "strip_above_text",
        "strip_below_text",
    ),
    "strip_legal",
)
_SINGLE = (*_PLACE, *_ENDS, *_ORDER, *_STRIP, *FLAGS, "is_link", "is_long", "is_text", "is_image")
_PAIRS = (
    ("header_name", "top_far"),
    ("header_tag", "top_far"),
    ("header_name", "first"),
    ("footer_tag", "late"),
    ("nav_name", "strip_ends_high"),
    ("nav_name", "top_far"),
    ("strip_links", "strip_ends_high"),
    ("strip_links", "strip_bottom_far"),
    ("strip_above_text", "top_far"),
    ("strip_below_text", "bottom_far"),
    ("no_text_before", "top_far"),
    ("no_text_after", "bottom_far"),
    ("content_name", "top_far"),
    ("content_name", "bottom_far"),
)
_FOOTER = BIT["footer_tag"] | BIT["footer_name"]
LEAF_NAMES = (*_SINGLE, *(f"{one} x {other}" for one, other in _PAIRS))
_PAIR_COLUMNS = (
    np.array([_SINGLE.index(one) for one, _ in _PAIRS]),
    np.array([_SINGLE.index(other) for _, other in _PAIRS]),
)


def features_of(page: Page, scene: Scene, flags: Ints) -> Floats:
    """The evidence for header and footer: a row a leaf, a column a name of LEAF_NAMES; `flags` are the parts' names.

    A leaf that is not seen stands where the nearest part around it does.
    """
    parts, height = scene.parts, scene.height
    has_rights, is_legal = sweep_notices(page.leaves.text, _SHORT)
    footer_of = sweep_named(flags, parts.parent, _FOOTER)
    places = sweep_leaves(
        scene.boxes, scene.rectangles, parts.parent, parts.of_leaf, scene.long_text, has_rights, footer_of, height
    )
    np.exp(places[:, 1:5], out=places[:, 1:5])  # near the top and bottom edge
    np.exp(places[:, 7:12], out=places[:, 7:12])  # among the first or last leaves, in a footer near the bottom edge
    chosen, number = outermost(scene, max(STRIP_SHARE * height, STRIP_PX), is_across=False)
    legal = sums(parts, np.array(is_legal))
    edges = sweep_edges(scene.long_text, scene.boxes, height)
    linked = sums(parts, page.leaves.is_link)
    strips = sweep_strips(
        chosen,
        scene.rectangles,
        scene.link_density,
        scene.leaf_share,
        len(parts.of_leaf),
        legal,
        linked,
        edges,
        height,
    )
    np.exp(strips[:, 2:9], out=strips[:, 2:9])
    return sweep_rows(
        places,
        strips,
        number,
        flags,
        parts.of_leaf,
        page.leaves.is_link,
        scene.long_text,
        scene.is_text,
        page.leaves.kind,
        len(FLAGS),
        _PAIR_COLUMNS,
    )
