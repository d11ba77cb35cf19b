"""The store: one folder per table, read and written through the declarations in parcels.tables."""

import datetime as dt
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from parcels.errors import ConfigError, InputMissing
from parcels.query.schema import CRAWL, FETCHED_DATE, MODEL, Table
from parcels.store.conform import Rows
from parcels.store.errors import DamagedFile
from parcels.store.files import FileMaker, version_in
from parcels.store.location import Location, resolve
from parcels.store.partitions import segment, values_in
from parcels.store.result import Result
from parcels.store.writer import FILE_BYTES, Writer, write_error
from parcels.tables import INTERNAL, TABLES
from parcels.urls import new_run_id

MARKER = "parcels-store.json"
FORMAT = 1  # of the folder layout; columns have versions per table


@dataclass(frozen=True, slots=True)
class TableFile:
    """One committed file."""

    path: str  # on the store's filesystem
    partition: Mapping[str, str | dt.date]
    version: int


def open_store(where: str | os.PathLike[str], *, create: bool = False) -> "Store":
    """Return the store at a path or URI (`file://`, `s3://`, `hdfs://`).

    With `create`, a missing or empty folder becomes a store; otherwise it raises InputMissing.
    """
    location = resolve(where)
    try:
        is_empty = location.is_empty()  # before the marker: another process may be making the same store right now
        is_store = location.is_file(MARKER)
    except OSError as error:
        raise InputMissing(f"Cannot reach {location.uri}: {error}") from error
    if is_store:
        _check_format(location)
        return Store(location)
    if not is_empty:
        raise ConfigError(
            f"{location.uri} is not a store: it has no {MARKER}. Name the folder of a store, or a new one."
        )
    if not create:
        raise InputMissing(f"No store at {location.uri}. Create one with parcels import … or parcels crawl …")
    try:
        location.put(MARKER, json.dumps({"format": FORMAT}).encode() + b"\n")
    except OSError as error:
        raise write_error(location, "the store", error) from error
    return Store(location)


def _check_format(location: Location) -> None:
    try:
        number = json.loads(location.read(MARKER))["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f'{location.path(MARKER)} is damaged: write {{"format": {FORMAT}}} into it') from error
    if number != FORMAT:
        raise ConfigError(
            f"{location.uri} has store format {number}, this version reads {FORMAT}. Install a newer parcels."
        )


class Store:
    """Tables of Parquet files in one location. It holds no open files and may be used by several threads."""

    def __init__(self, location: Location):
        self.location = location

    def __repr__(self) -> str:
        return f"Store({self.location.uri!r})"

    def declaration(self, name: str) -> Table:
        """Return the declaration of a table: its columns, key and partitions."""
        table = TABLES.get(name) or INTERNAL.get(name)
        if table is None:
            raise ConfigError(f"Unknown table '{name}'. Known: {', '.join(TABLES)}.")
        return table

    def files(self, name: str, *, crawl: str | None = None, model: str | None = None) -> list[TableFile]:
        """Return the committed files of a table; raise DamagedFile for a file that no writer made."""
        table = self.declaration(name)
        below = f"{segment(CRAWL, crawl)}/" if crawl is not None else ""
        files = []
        for path in self.location.files(f"{name}/{below}".rstrip("/")):
            file = self._file(table, below + path)
            if file and (model is None or file.partition.get(MODEL) == model):
                files.append(file)
        return files

    def _file(self, table: Table, path: str) -> TableFile | None:
        base = path.rpartition("/")[2]
        if not base.endswith(".parquet") or base[0] in "._":
            return None
        full = self.location.path(table.name, path)
        version, values = version_in(table, base), values_in(table, path)
        if version is None or values is None:
            raise DamagedFile(
                f"{full} is not a file of table {table.name}: no writer of parcels made it. Move it away."
            )
        if version > table.version:
            raise ConfigError(
                f"{full} was written by a newer parcels (columns v{version}, this code knows v{table.version}): update."
            )
        return TableFile(full, values, version)

    def dataset(self, name: str, *, crawl: str | None = None, model: str | None = None) -> Any:
        """Return the committed rows of a table as a pyarrow dataset."""
        from parcels.store.reading import dataset

        return dataset(self.location, self.declaration(name), self.files(name, crawl=crawl, model=model))

    def read(
        self, name: str, *, columns: Sequence[str] | None = None, filter: Any = None,  # noqa: A002 - as pyarrow says it
        crawl: str | None = None, model: str | None = None,
    ) -> pa.Table:  # fmt: skip
        """Return the rows of a table in memory; `filter` is a pyarrow expression."""
        batches = self.batches(name, columns=columns, filter=filter, crawl=crawl, model=model)
        table = self.declaration(name)
        schema = table.arrow_schema(with_partitions=True)
        return pa.Table.from_batches(
            batches, schema if columns is None else pa.schema([schema.field(c) for c in columns])
        )

    def batches(
        self, name: str, *, columns: Sequence[str] | None = None, filter: Any = None,  # noqa: A002 - as pyarrow says it
        crawl: str | None = None, model: str | None = None,
    ) -> Iterator[pa.RecordBatch]:  # fmt: skip
        """Yield the rows of a table batch by batch, for tables larger than memory."""
        from parcels.store.reading import batches

        table = self.declaration(name)
        known = [column.name for column in table.all_columns]
        for column in columns or ():
            if column not in known:
                raise ConfigError(f"Table {name} has no column '{column}'. Its columns: {', '.join(known)}.")
        files = self.files(name, crawl=crawl, model=model)
        return batches(self.location, table, files, columns, filter)

    def sql(self, text: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> Result:
        """Return the result of a SELECT over the tables and views of the store (`parcels schema` lists them).

        The SQL dialect is DuckDB's. It reads only this store; other statements raise ConfigError. Every call has its
        own connection, so several threads may query at once.
        """
        from parcels.query.sql import select

        return select(self, text, parameters)

    def table(self, name: str, *, columns: Sequence[str] | None = None, crawl: str | None = None) -> Result:
        """Return the rows of a table or view; name the `columns` if it has pages or texts."""
        from parcels.query.sql import select_from

        return select_from(self, name, columns=columns, crawl=crawl)

    def keys(self, name: str, *, crawl: str | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the distinct keys of a table (or other columns), for incremental work."""
        wanted = list(columns or self.declaration(name).key)
        return self.read(name, columns=wanted, crawl=crawl).group_by(wanted).aggregate([])

    def writer(
        self, name: str, *, crawl: str | None = None, fetched_date: dt.date | None = None, model: str | None = None,
        run_id: str = "", commit_id: str | None = None, file_bytes: int = FILE_BYTES,
    ) -> Writer:  # fmt: skip
        """Return a writer; partition columns that are not fixed here are columns of the rows.

        `commit_id` makes a commit repeatable: the same rows with the same id give the same files, so a commit that a
        crash interrupted can be repeated.
        """
        table = self.declaration(name)
        values = {CRAWL: crawl, FETCHED_DATE: fetched_date, MODEL: model}
        fixed = {column: value for column, value in values.items() if value is not None}
        for column in fixed:
            if column not in table.partitions:
                raise ConfigError(f"Table {name} is not partitioned by {column}, but by {', '.join(table.partitions)}.")
            segment(column, str(fixed[column]))
        if commit_id is not None and not re.fullmatch(r"[A-Za-z0-9_.-]{1,120}", commit_id):
            raise ConfigError(f"Invalid commit id {commit_id!r}: use at most 120 letters, digits, `_`, `.` and `-`.")
        try:
            files = FileMaker(self.location, table, commit_id or new_run_id(), run_id)
        except OSError as error:
            raise write_error(self.location, f"table {name}", error) from error
        return Writer(self.location, table, fixed, files, file_bytes=file_bytes)

    def write(self, name: str, rows: Rows | Iterable[pa.RecordBatch], **partition: Any) -> list[str]:
        """Write and commit rows with the options of `writer`; return the new files."""
        is_one = isinstance(rows, pa.Table | pa.RecordBatch) or _are_mappings(rows)
        with self.writer(name, **partition) as writer:
            for part in (rows,) if is_one else rows:
                writer.add(part)
        return writer.committed


def _are_mappings(rows: object) -> bool:
    return isinstance(rows, Sequence) and all(isinstance(row, Mapping) for row in rows)
