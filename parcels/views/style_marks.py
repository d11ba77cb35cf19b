"""Stylistic features that look at other things each, in one pass over blocks and nodes."""

import numpy as np

from parcels.compiled import loaded
from parcels.tags import NUMBER
from parcels.views.look import Column, Floats, Look
from parcels.views.style_boxes import IS_FLEX, is_in_flex
from parcels.views.style_fonts import has_background, largest_font
from parcels.views.style_linear import NEAR_ROOT, share_of_tables, table_layout

loops = loaded("parcels.views.style_loops")  # None where it is not compiled: the same column by column, slower

MARKS: tuple[Column, ...] = (largest_font, has_background, is_in_flex, table_layout)


def marks(look: Look) -> Floats:
    """The rows of MARKS."""
    if loops is None:
        return np.stack([column(look) for column in MARKS])
    found, nodes, of = np.empty((len(MARKS), len(look)), np.float32), look.page.nodes, look.styles
    tables, divs = loops.marks(
        look.division.first, look.page.leaves.node, of.font_size, look.leaf_is_text.view(np.uint8), look.container,
        look.parent, nodes.parent, nodes.depth, of.background, of.display, IS_FLEX.view(np.uint8), nodes.tag,
        NUMBER["table"], NUMBER["div"], NEAR_ROOT, found,
    )  # fmt: skip
    found[3] = share_of_tables(tables, divs)
    return found
