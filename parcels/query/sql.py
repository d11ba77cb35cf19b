"""SQL over a store with DuckDB: one view per table, named like the table."""

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, ParcelsError
from parcels.query.guard import check_read_only, lock
from parcels.query.schema import FETCHED_DATE, Column, Table
from parcels.query.views import VIEWS, view_queries
from parcels.store import DamagedFile, Store, TableFile
from parcels.store.models import current_models
from parcels.store.result import Result
from parcels.tables import TABLES

_GLOB = re.compile(r"[\[*?{]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TYPES = {
    "string": "VARCHAR", "binary": "BLOB", "bool": "BOOLEAN", "int32": "INTEGER", "int64": "BIGINT", "float": "FLOAT",
    "date32[day]": "DATE", "timestamp[us, tz=UTC]": "TIMESTAMP",
}  # fmt: skip


def select(store: Store, text: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> Result:
    """Return the result of a SELECT over a store; raise ConfigError for any other statement."""
    with closing(connect(store)) as connection:
        try:
            check_read_only(connection, text)
            return Result(connection.sql(text, params=parameters).to_arrow_table())
        except (duckdb.Error, OSError, pa.ArrowException) as error:  # Arrow's reader raises its own errors
            raise explain(error, store) from error


def select_from(store: Store, name: str, *, columns: Sequence[str] | None = None, crawl: str | None = None) -> Result:
    """Return the rows of a table or view, of all crawls or one."""
    known = [column.name for column in columns_of(name)]
    for column in columns or ():
        if column not in known:
            raise ConfigError(f"{name} has no column '{column}'. Its columns: {', '.join(known)}.")
    wanted = ", ".join(map(_quoted, columns or known))
    where = "" if crawl is None else " WHERE crawl = $crawl"
    return select(store, f'SELECT {wanted} FROM "{name}"{where}', None if crawl is None else {"crawl": crawl})


def columns_of(name: str) -> tuple[Column, ...]:
    """Return the columns of a table or view."""
    if name in TABLES:
        return TABLES[name].all_columns
    if name in VIEWS:
        return VIEWS[name].columns
    known = [*TABLES, *VIEWS]
    raise ConfigError(f"Unknown table or view '{name}'.{did_you_mean(name, known)} Known: {', '.join(known)}.")


def connect(store: Store, *, is_locked: bool = True) -> Any:
    """Return a DuckDB connection with a view for every table and for every view of parcels.query.views.

    Times are TIMESTAMP in UTC, `crawl` and `model` are always VARCHAR, `fetched_date` is DATE. A table without files is
    an empty view. Files committed later are visible, except in a table that had none. A locked connection opens only
    files of the store; use `check_read_only` as well for untrusted SQL.
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
        except duckdb.Error as error:  # DuckDB opens the first file
            raise explain(error, store) from error
    for name, text in view_queries(partial(current_models, store), _literal):
        connection.execute(f'CREATE VIEW "{name}" AS {text}')
    if is_locked:
        lock(connection, store)
    return connection


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _select(connection: Any, store: Store, table: Table, files: list[TableFile]) -> str:
    if not files:
        return _no_rows(table)
    columns = [_column(column.name, column.type) for column in table.columns]
    if store.location.is_local and not _is_misread(store.location.root, table):
        columns += [_partition(name) for name in table.partitions]
        return f"SELECT {', '.join(columns)} FROM {_parquet(store, table, files)}"
    # DuckDB cannot open every filesystem. pyarrow can, and DuckDB pushes columns and filters down to it.
    source = f"_{table.name}_dataset"
    connection.register(source, store.dataset(table.name))
    columns += [f'"{name}"' for name in table.partitions]
    return f'SELECT {", ".join(columns)} FROM "{source}"'


def _is_misread(root: str, table: Table) -> bool:
    """Return whether DuckDB would misread the path of a store.

    It takes the first folder that looks like a partition for one, and a locked connection does not open files whose
    pattern contains escaped wildcards.
    """
    return bool(_GLOB.search(root)) or any(
        level.partition("=")[0] in table.partitions for level in root.split("/") if "=" in level
    )


def _column(name: str, kind: pa.DataType) -> str:
    return f'"{name}" AT TIME ZONE \'UTC\' AS "{name}"' if pa.types.is_timestamp(kind) else f'"{name}"'


def _partition(name: str) -> str:
    """Return the SQL that decodes a partition value from a path, the inverse of parcels.store.partitions."""
    return f'"{name}"' if name == FETCHED_DATE else f'url_decode("{name}") AS "{name}"'


def _parquet(store: Store, table: Table, files: list[TableFile]) -> str:
    levels = "/".join("*" for _ in table.partitions)
    pattern = f"{store.location.path(table.name)}/{levels}/{table.name}-v*.parquet".replace("'", "''")
    types = ", ".join(f"'{column.name}': {_type(column.type)}" for column in table.partition_columns)
    is_mixed = any(file.version < table.version for file in files)  # an older file may lack a column
    source = f"read_parquet('{pattern}', hive_partitioning=true, hive_types={{{types}}}, union_by_name={is_mixed})"
    if max(file.version for file in files) == table.version:
        return source
    return f"(SELECT * FROM {source} UNION ALL BY NAME {_no_rows(table)})"  # no file has the newest column


def _no_rows(table: Table) -> str:
    columns = ", ".join(f'CAST(NULL AS {_type(column.type)}) AS "{column.name}"' for column in table.all_columns)
    return f"SELECT {columns} WHERE false"


def _type(kind: pa.DataType) -> str:
    """Return the DuckDB type of an Arrow type.

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


def explain(error: Exception, store: Store) -> ParcelsError:
    """Return an error of DuckDB as one with advice."""
    message = _CONTROL.sub(
        lambda match: f"\\x{ord(match[0]):02x}", str(error)
    )  # messages may contain values from pages
    at_fault = re.search(rf"{re.escape(store.location.root)}/[^'\"]*\.parquet", message)
    if at_fault and not isinstance(error, duckdb.BinderException | duckdb.CatalogException | duckdb.ParserException):
        return DamagedFile(f"{at_fault[0]} is damaged or incomplete ({message}). Restore it, or move it away.")
    if message.startswith("Out of Memory"):
        return ParcelsError(f"{message}\nSelect fewer columns (html is the largest) or add LIMIT.")
    if isinstance(error, duckdb.PermissionException):
        return ConfigError(
            f"{message}\nA query may read only the tables of its store. To allow other files: parcels query --unsafe"
        )
    return ConfigError(f"{message}\nTables: {', '.join([*TABLES, *VIEWS])}; see `parcels schema TABLE` for columns.")
