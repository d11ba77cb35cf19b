"""Migration of files with older columns to the current columns.

Older files are readable without it: a missing column is null. Migration gives all Parquet files the same columns for
other tools. The new file is committed, then the old one is deleted; a reader in between sees its rows twice. A killed
migration is completed by the next one.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from parcels.store import Store, TableFile
from parcels.tables import TABLES


class Outdated(NamedTuple):
    """The files of a table with older columns."""

    table: str
    files: int
    version: int  # the oldest of them
    wanted: int


def outdated(store: Store) -> list[Outdated]:
    """Return the tables that a migration would change."""
    tables = []
    for name, table in TABLES.items():
        old = [file.version for file in store.files(name) if file.version < table.version]
        if old:
            tables.append(Outdated(name, len(old), min(old), table.version))
    return tables


def migrate(store: Store) -> Iterator[Outdated]:
    """Migrate every table to its current columns; yield each table when it is done."""
    for one in outdated(store):
        for file in store.files(one.table):
            if file.version < one.wanted:
                _migrate_file(store, one.table, file)
        yield one


def _migrate_file(store: Store, table: str, file: TableFile) -> None:
    """Migrate one file; the commit id contains the old file's name, so that a killed migration can be repeated."""
    token = file.path.rpartition("/")[2].removesuffix(".parquet").split("-", 2)[2]
    schema, partition = store.declaration(table).arrow_schema(), dict[str, Any](file.partition)
    with (
        store.location.filesystem.open_input_file(file.path) as stream,
        store.writer(table, **partition, commit_id=f"{token[:100]}m") as writer,
    ):
        parquet = pq.ParquetFile(stream)
        for group in range(parquet.num_row_groups):
            writer.add(with_columns(parquet.read_row_group(group), schema))
    store.location.filesystem.delete_file(file.path)


def with_columns(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows with exactly the columns of a schema; missing ones are null.

    >>> with_columns(pa.table({"a": [1]}), pa.schema({"a": pa.int64(), "b": pa.string()})).to_pylist()
    [{'a': 1, 'b': None}]
    """
    for field in schema:
        if field.name not in rows.column_names:
            rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
    return rows.select(schema.names)
