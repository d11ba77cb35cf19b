"""Conversion of rows to the columns that a table declares, with errors that name the column."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from parcels.query.schema import Column, Table
from parcels.store.errors import SchemaMismatch

Rows: TypeAlias = Sequence[Mapping[str, Any]] | pa.RecordBatch | pa.Table


def conform(table: Table, rows: Rows, fixed: Mapping[str, Any]) -> pa.Table:
    """Return rows with exactly the table's columns, and the partition columns that are not fixed for all rows.

    Nullable columns may be missing. Values are cast only without loss.
    """
    columns = (*table.columns, *(column for column in table.partition_columns if column.name not in fixed))
    expected = {column.name for column in columns}
    if isinstance(rows, pa.RecordBatch | pa.Table):
        present, values = set(rows.column_names), rows.column
    else:
        present = set().union(*rows)
        values = _ListedColumns(rows)
    for name in sorted(present - expected):
        reason = "it is fixed for all rows of this writer" if name in fixed else "the table has no such column"
        raise SchemaMismatch(f"table {table.name}, column {name}: {reason}. See: parcels schema {table.name}")
    height = rows.num_rows if isinstance(rows, pa.RecordBatch | pa.Table) else len(rows)
    arrays = [
        _checked(table, column, values(column.name)) if column.name in present else _missing(table, column, height)
        for column in columns
    ]
    return pa.table(arrays, pa.schema([pa.field(column.name, column.type, column.nullable) for column in columns]))


def _check_fields(kind: pa.DataType, values: Any) -> None:
    """Raise TypeError for a field that the struct does not have; pyarrow would drop it silently."""
    if pa.types.is_list(kind):
        kind = kind.value_type
        values = [value for parts in values if parts is not None for value in parts]
        if pa.types.is_list(kind):
            _check_fields(kind, values)
    if pa.types.is_struct(kind):
        names = {kind.field(index).name for index in range(kind.num_fields)}
        for value in values:
            if value is not None and not value.keys() <= names:
                raise TypeError(f"it has no field {', '.join(sorted(value.keys() - names))}")


class _ListedColumns:
    """Columns of a list of mappings, by name."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]):
        self._rows = rows

    def __call__(self, name: str) -> list[Any]:
        return [row.get(name) for row in self._rows]


def _missing(table: Table, column: Column, height: int) -> pa.Array:
    if not column.nullable:
        raise SchemaMismatch(f"table {table.name}, column {column.name}: missing, and it may not be null")
    return pa.nulls(height, column.type)


def _checked(table: Table, column: Column, values: Any) -> pa.Array | pa.ChunkedArray:
    where = f"table {table.name}, column {column.name}"
    try:
        if isinstance(values, list):
            if pa.types.is_nested(column.type):
                _check_fields(column.type, values)
            array = pa.array(values, column.type)
        else:
            array = values if values.type == column.type else values.cast(column.type)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, AttributeError) as error:
        raise SchemaMismatch(f"{where}: not {column.type_name}: {error}") from error
    if array.null_count and not column.nullable:
        first = array.is_null().index(True).as_py()
        raise SchemaMismatch(f"{where}: row {first} is null, and the column may not be")
    return array
