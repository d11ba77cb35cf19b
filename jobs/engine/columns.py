"""Columns of nested values from flat ones, which costs much less than one Python object per row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa


def structs(kind: pa.StructType, *fields: Any, is_null: npt.NDArray[np.bool_] | None = None) -> pa.StructArray:
    """Return structs from the values of each of their fields, in order.

    >>> point = pa.struct({"x": pa.int32(), "y": pa.int32()})
    >>> structs(point, [1, 2], [3, 4], is_null=np.array([False, True])).to_pylist()
    [{'x': 1, 'y': 3}, None]
    """
    arrays = [pa.array(values, of.type) for of, values in zip(kind, fields, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind), mask=None if is_null is None else pa.array(is_null))


def struct_lists(kind: pa.ListType, counts: Sequence[int], *fields: Any) -> pa.ListArray:
    """Return lists of structs from the number of structs per list, and the values of each field of all structs.

    >>> kind = pa.list_(pa.struct({"n": pa.int32(), "text": pa.string()}))
    >>> struct_lists(kind, [1, 0, 2], [7, 8, 9], ["a", "b", "c"]).to_pylist()
    [[{'n': 7, 'text': 'a'}], [], [{'n': 8, 'text': 'b'}, {'n': 9, 'text': 'c'}]]
    """
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(offsets, structs(kind.value_type, *fields), type=kind)


def columns_of(pairs: Sequence[tuple[Any, Any]]) -> tuple[list[Any], list[Any]]:
    """Return the first and the second values of pairs."""
    return [first for first, _ in pairs], [second for _, second in pairs]
