"""SQL over a store with DuckDB: a view for every table, by its name."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from parcels.errors import ConfigError, ParcelsError
from parcels.schema import FETCHED_DATE, Table
from parcels.store import DamagedFile, Store, TableFile
from parcels.tables import TABLES, VIEWS

_GLOB = re.compile(r"[\[*?{]")
_TYPES = {
    "string": "VARCHAR", "binary": "BLOB", "bool": "BOOLEAN", "int32": "INTEGER", "int64": "BIGINT", "float": "FLOAT",
    "date32[day]": "DATE", "timestamp[us, tz=UTC]": "TIMESTAMP",
}  # fmt: skip


def connect(store: Store) -> Any:
    """A DuckDB connection with a view a table, and `classified_blocks`.

    Times are TIMESTAMP in UTC, `crawl` and `model` are VARCHAR whatever they look like, `fetched_date` is DATE. A
    table without files is an empty view. Files that are committed later are seen, except where a table had none.
    """
    connection = duckdb.connect()
    connection.execute(
        "SET TimeZone = 'UTC'; SET autoinstall_known_extensions = false; SET autoload_known_extensions = false"
    )
    connection.execute("SET temp_directory = ?", [str(Path(tempfile.gettempdir()) / f"parcels-duckdb-{os.getpid()}")])
    for table in TABLES.values():
        select = _select(connection, store, table, store.files(table.name))
        try:
            connection.execute(f'CREATE VIEW "{table.name}" AS {select}')
        except duckdb.Error as error:  # it looks into the first file
            raise explain(error, store) from error
    for name, text in VIEWS.items():
        connection.execute(f'CREATE VIEW "{name}" AS {text}')
    return connection


def _select(connection: Any, store: Store, table: Table, files: list[TableFile]) -> str:
    if not files:
        return _no_rows(table)
    columns = [_column(column.name, column.type) for column in table.columns]
    if store.place.is_local and not _is_misread(store.place.root, table):
        columns += [_partition(name) for name in table.partitions]
        return f"SELECT {', '.join(columns)} FROM {_parquet(store, table, files)}"
    # DuckDB has no way of its own to every filesystem; pyarrow does, and takes columns and filters from DuckDB.
    source = f"_{table.name}_dataset"
    connection.register(source, store.dataset(table.name))
    columns += [f'"{name}"' for name in table.partitions]
    return f'SELECT {", ".join(columns)} FROM "{source}"'


def _is_misread(root: str, table: Table) -> bool:
    """True where a folder above the store looks like a partition: DuckDB takes the first that it finds in a path."""
    return any(level.partition("=")[0] in table.partitions for level in root.split("/") if "=" in level)


def _column(name: str, kind: pa.DataType) -> str:
    return f'"{name}" AT TIME ZONE \'UTC\' AS "{name}"' if pa.types.is_timestamp(kind) else f'"{name}"'


def _partition(name: str) -> str:
    """Undo what parcels.store.partitions does to a value before it stands in a path."""
    return f'"{name}"' if name == FETCHED_DATE else f'url_decode("{name}") AS "{name}"'


def _parquet(store: Store, table: Table, files: list[TableFile]) -> str:
    levels = "/".join("*" for _ in table.partitions)
    root = _GLOB.sub(lambda match: f"[{match[0]}]", store.place.path(table.name))
    pattern = f"{root}/{levels}/{table.name}-v*.parquet".replace("'", "''")
    types = ", ".join(f"'{column.name}': {_type(column.type)}" for column in table.partition_columns)
    is_mixed = any(file.version < table.version for file in files)  # an older file may lack a column
    source = f"read_parquet('{pattern}', hive_partitioning=true, hive_types={{{types}}}, union_by_name={is_mixed})"
    if max(file.version for file in files) == table.version:
        return source
    return f"(SELECT * FROM {source} UNION ALL BY NAME {_no_rows(table)})"  # none of them has the newest column


def _no_rows(table: Table) -> str:
    columns = ", ".join(f'CAST(NULL AS {_type(column.type)}) AS "{column.name}"' for column in table.all_columns)
    return f"SELECT {columns} WHERE false"


def _type(kind: pa.DataType) -> str:
    """A type in DuckDB's words.

    >>> _type(pa.list_(pa.struct({"n": pa.int32()})))
    'STRUCT("n" INTEGER)[]'
    """
    if pa.types.is_list(kind):
        return f"{_type(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        return f"STRUCT({', '.join(f'{_quoted(field.name)} {_type(field.type)}' for field in kind)})"
    return _TYPES[str(kind)]


def _quoted(name: str) -> str:
    return f'"{name}"'


def explain(error: duckdb.Error, store: Store) -> ParcelsError:
    """What a user should do about an error of DuckDB."""
    message = str(error)
    at_fault = re.search(rf"{re.escape(store.place.root)}/[^'\"]*\.parquet", message)
    if at_fault and not isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        return DamagedFile(f"{at_fault[0]} is damaged or half copied ({message}). Restore it, or move it away.")
    if isinstance(error, duckdb.OutOfMemoryException):
        return ParcelsError(f"{message}\nSelect fewer columns (html is the large one) or add LIMIT.")
    return ConfigError(f"{message}\nTables: {', '.join([*TABLES, *VIEWS])}; see `parcels schema TABLE` for columns.")
