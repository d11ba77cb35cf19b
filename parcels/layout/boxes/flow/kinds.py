"""Box types by tag and display, as lookup tables, and constants of the layout."""

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Display
from parcels.html.tags import IS_BLOCK_LEVEL, NUMBER, lookup

# Box types by tag.
BOX, REPLACED, BREAK, BREAK_CHANCE = 0, 1, 2, 3

MAX_PX = 1e6  # larger numbers of a page are clipped: 1e30 px must not spoil sums
VIEW_HEIGHT = 800.0  # of the window that fixed boxes and percentages of the page's height refer to
ROUNDING = 0.05  # px that a line may be overrun by
MAX_DEPTH = 100  # boxes within boxes; up to six of Python's thousand frames each

KIND_OF_TAG = np.zeros(len(lookup("p")), np.int8)
KIND_OF_TAG[
    lookup(
        "img video audio iframe embed object canvas svg math input textarea select progress meter applet image keygen"
    )
] = REPLACED
KIND_OF_TAG[NUMBER["br"]] = BREAK
KIND_OF_TAG[NUMBER["wbr"]] = BREAK_CHANCE
SPACED_BY_TAG = IS_BLOCK_LEVEL | (KIND_OF_TAG == REPLACED)  # `is_spaced` is always true after these

_D = Display
BLOCKIFIED = np.arange(len(Display), dtype=np.int8)
BLOCKIFIED[[_D.INLINE, _D.INLINE_BLOCK]] = _D.BLOCK
BLOCKIFIED[_D.INLINE_FLEX], BLOCKIFIED[_D.INLINE_GRID] = _D.FLEX, _D.GRID
BLOCKIFIED[_D.INLINE_TABLE] = _D.TABLE
for _part in (_D.ROW_GROUP, _D.ROW, _D.CELL, _D.CAPTION):
    BLOCKIFIED[_part] = _D.BLOCK


def _set_of(*displays: Display) -> NDArray[np.bool_]:
    table = np.zeros(len(Display), np.bool_)
    table[list(displays)] = True
    return table


IS_INLINE_LEVEL = _set_of(_D.INLINE, _D.INLINE_BLOCK, _D.INLINE_FLEX, _D.INLINE_GRID, _D.INLINE_TABLE)
IS_ITEM_BOX = _set_of(_D.FLEX, _D.INLINE_FLEX, _D.GRID, _D.INLINE_GRID)
IS_ROOT = _set_of(
    *(_D.INLINE_BLOCK, _D.FLEX, _D.INLINE_FLEX, _D.GRID, _D.INLINE_GRID, _D.TABLE, _D.INLINE_TABLE),
    *(_D.CELL, _D.CAPTION),
)

IS_PART = _set_of(_D.CELL, _D.ROW, _D.ROW_GROUP)
IS_TABLE_PART = _set_of(_D.TABLE, _D.INLINE_TABLE, _D.ROW_GROUP, _D.ROW, _D.CONTENTS)
