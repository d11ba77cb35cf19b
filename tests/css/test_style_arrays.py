"""The arrays of Styles, from rows of computed numbers."""

import numpy as np

from parcels.css.arrays import _CODES, _FLOATS, arrays_of
from parcels.css.columns import COLUMN, FLOW_END, INITIAL_ROW, LINE_FACTOR
from parcels.css.style import Align


def row(**values: float) -> list[float]:
    """Return the numbers of a style: the initial ones, but for those given."""
    cells = list(INITIAL_ROW)
    for name, value in values.items():
        cells[COLUMN[name.replace("_", "-")]] = value
    return cells


def test_each_node_has_the_numbers_of_its_style() -> None:
    cells = np.array(row(font_size=10.0, order=1.0, color=4294967295.0) + row(font_size=20.0, order=2.0, color=7.0))
    floats, codes, bools, colours, family = arrays_of(cells, [1, 0, 1])
    names = list(_FLOATS)
    assert floats[names.index("font_size")].tolist() == [20.0, 10.0, 20.0]
    assert floats[names.index("order")].tolist() == [2.0, 1.0, 2.0]
    assert colours[0].tolist() == [7, 4294967295, 7]
    assert [made.dtype for made in (floats, codes, bools, colours, family)] == ["f4", "i1", "?", "u4", "i2"]


def test_columns_that_depend_on_others_are_finished() -> None:
    cells = row(font_size=10.0, line_kind=LINE_FACTOR, line_value=1.5, text_align=FLOW_END, column_count=1e9)
    floats, codes, *_ = arrays_of(np.array(cells), [0])
    assert floats[list(_FLOATS).index("line_height")].tolist() == [15.0]
    assert codes[list(_CODES).index("text_align")].tolist() == [int(Align.END)]
    assert codes[list(_CODES).index("column_count")].tolist() == [100]


def test_a_number_too_large_for_a_float_is_infinite() -> None:
    floats, *_ = arrays_of(np.array(row(flex_grow=1e300)), [0])
    assert floats[list(_FLOATS).index("flex_grow")].tolist() == [np.inf]
