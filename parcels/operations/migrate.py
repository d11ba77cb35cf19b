"""Files with older columns into files with today's.

Old files are read without this: a column that they lack is null. Migrating lets tools that read the Parquet files alone
see the same columns everywhere. The new file is put in, then the old one goes; who reads between the two sees its rows
twice, and after a kill the next run ends what was begun.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from parcels.store import Store, TableFile
from parcels.tables import TABLES


class Outdated(NamedTuple):
    """Files of a table with older columns."""

    table: str
    files: int
    version: int  # the oldest of them
    wanted: int


def outdated(store: Store) -> list[Outdated]:
    """What a migration would change."""
    found = []
    for name, table in TABLES.items():
        old = [file.version for file in store.files(name) if file.version < table.version]
        if old:
            found.append(Outdated(name, len(old), min(old), table.version))
    return found


def migrate(store: Store) -> Iterator[Outdated]:
    """Bring every table to its columns of today; yields each table when it is done."""
    for one in outdated(store):
        for file in store.files(one.table):
            if file.version < one.wanted:
                _migrate_file(store, one.table, file)
        yield one


def _migrate_file(store: Store, table: str, file: TableFile) -> None:
    """The commit id names the old file, so that a commit that a kill left in doubt is simply done again."""
    token = file.path.rpartition("/")[2].removesuffix(".parquet").split("-", 2)[2]
    schema, partition = store.declaration(table).arrow_schema(), dict[str, Any](file.partition)
    with (
        store.place.filesystem.open_input_file(file.path) as stream,
        store.writer(table, **partition, commit_id=f"{token[:100]}m") as writer,
    ):
        parquet = pq.ParquetFile(stream)
        for group in range(parquet.num_row_groups):
            writer.add(with_columns(parquet.read_row_group(group), schema))
    store.place.filesystem.delete_file(file.path)


def with_columns(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Rows with exactly the columns of a schema; those that are missing are null.

    >>> with_columns(pa.table({"a": [1]}), pa.schema({"a": pa.int64(), "b": pa.string()})).to_pylist()
    [{'a': 1, 'b': None}]
    """
    for field in schema:
        if field.name not in rows.column_names:
            rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
    return rows.select(schema.names)
