"""Which tags and displays make which kinds of boxes: tables that are looked up for all nodes of a page at once."""

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Display
from parcels.html.tags import IS_BLOCK_LEVEL, NUMBER, lookup
from parcels.layout.boxes.flow.codes import BREAK, BREAK_CHANCE, REPLACED

KIND_OF_TAG = np.zeros(len(lookup("p")), np.int8)
KIND_OF_TAG[
    lookup(
        "img video audio iframe embed object canvas svg math input textarea select progress meter applet image keygen"
    )
] = REPLACED
KIND_OF_TAG[NUMBER["br"]] = BREAK
KIND_OF_TAG[NUMBER["wbr"]] = BREAK_CHANCE
SPACED_BY_TAG = IS_BLOCK_LEVEL | (KIND_OF_TAG == REPLACED)  # the walk says `is_spaced` behind these in any case

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
