"""The store: one folder a table, read and written through the declarations in parcels.tables."""

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
from parcels.store.partitions import segment, values_in
from parcels.store.place import Place, resolve
from parcels.store.result import Result
from parcels.store.writer import FILE_BYTES, Writer, write_error
from parcels.tables import TABLES
from parcels.urls import new_run_id

MARKER = "parcels-store.json"
FORMAT = 1  # of the layout of folders; the columns of a table have versions of their own


@dataclass(frozen=True, slots=True)
class TableFile:
    """One committed file."""

    path: str  # on the store's filesystem
    partition: Mapping[str, str | dt.date]
    version: int


def open_store(where: str | os.PathLike[str], *, create: bool = False) -> "Store":
    """The store at a path or URI (`file://`, `s3://`, `hdfs://`).

    With `create`, a missing or empty folder becomes a store; without, it is an error that says what to do.
    """
    place = resolve(where)
    try:
        is_empty = place.is_empty()  # before the marker: another process may be making the same store right now
        is_store = place.is_file(MARKER)
    except OSError as error:
        raise InputMissing(f"{place.given} cannot be reached: {error}") from error
    if is_store:
        _check_format(place)
        return Store(place)
    if not is_empty:
        raise ConfigError(
            f"{place.given} is not a store: it has no {MARKER}. Name the folder of a store, or a new one."
        )
    if not create:
        raise InputMissing(f"there is no store at {place.given}. Make one: parcels import ... or parcels crawl ...")
    try:
        place.put(MARKER, json.dumps({"format": FORMAT}).encode() + b"\n")
    except OSError as error:
        raise write_error(place, "the store", error) from error
    return Store(place)


def _check_format(place: Place) -> None:
    try:
        number = json.loads(place.read(MARKER))["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFile(f'{place.path(MARKER)} is damaged: write {{"format": {FORMAT}}} into it') from error
    if number != FORMAT:
        raise ConfigError(f"{place.given} has store format {number}, this code reads {FORMAT}: install a newer parcels")


class Store:
    """Tables of Parquet files in one place. It holds no open files and may be used by several threads."""

    def __init__(self, place: Place):
        self.place = place

    def __repr__(self) -> str:
        return f"Store({self.place.given!r})"

    def declaration(self, name: str) -> Table:
        """Return the declaration of a table: its columns, key and partitions."""
        if name not in TABLES:
            raise ConfigError(f"there is no table '{name}'; known: {', '.join(TABLES)}")
        return TABLES[name]

    def files(self, name: str, *, crawl: str | None = None, model: str | None = None) -> list[TableFile]:
        """The committed files of a table; a file that no writer made is an error that names it."""
        table = self.declaration(name)
        below = f"{segment(CRAWL, crawl)}/" if crawl is not None else ""
        found = []
        for path in self.place.files(f"{name}/{below}".rstrip("/")):
            file = self._file(table, below + path)
            if file and (model is None or file.partition.get(MODEL) == model):
                found.append(file)
        return found

    def _file(self, table: Table, path: str) -> TableFile | None:
        base = path.rpartition("/")[2]
        if not base.endswith(".parquet") or base[0] in "._":
            return None
        full = self.place.path(table.name, path)
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
        """The table as a pyarrow dataset of what is committed now."""
        from parcels.store.reading import dataset

        return dataset(self.place, self.declaration(name), self.files(name, crawl=crawl, model=model))

    def read(
        self, name: str, *, columns: Sequence[str] | None = None, filter: Any = None,  # noqa: A002 - as pyarrow says it
        crawl: str | None = None, model: str | None = None,
    ) -> pa.Table:  # fmt: skip
        """The rows of a table in memory; `filter` is a pyarrow expression."""
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
        """The same batch by batch, for tables that do not fit into memory."""
        from parcels.store.reading import batches

        table = self.declaration(name)
        known = [column.name for column in table.all_columns]
        for column in columns or ():
            if column not in known:
                raise ConfigError(f"table {name} has no column '{column}'; it has {', '.join(known)}")
        files = self.files(name, crawl=crawl, model=model)
        return batches(self.place, table, files, columns, filter)

    def sql(self, text: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None) -> Result:
        """Return what a SELECT finds in the tables and views of the store (`parcels schema` lists them).

        The SQL is DuckDB's. It reads this store and nothing else; other statements raise ConfigError. Every call has a
        connection of its own, so several threads may ask at once.
        """
        from parcels.query.sql import select

        return select(self, text, parameters)

    def table(self, name: str, *, columns: Sequence[str] | None = None, crawl: str | None = None) -> Result:
        """Return the rows of a table or view; name the `columns` where it holds pages or texts."""
        from parcels.query.sql import select_from

        return select_from(self, name, columns=columns, crawl=crawl)

    def keys(self, name: str, *, crawl: str | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """The distinct keys of a table (or other columns): what incremental work need not do again."""
        wanted = list(columns or self.declaration(name).key)
        return self.read(name, columns=wanted, crawl=crawl).group_by(wanted).aggregate([])

    def writer(
        self, name: str, *, crawl: str | None = None, fetched_date: dt.date | None = None, model: str | None = None,
        run_id: str = "", commit_id: str | None = None, file_bytes: int = FILE_BYTES,
    ) -> Writer:  # fmt: skip
        """A writer; partition columns that are not fixed here are columns of the rows.

        `commit_id` makes a commit repeatable: the same rows under the same id end in the same files, so a commit
        that a crash left in doubt may simply be done again.
        """
        table = self.declaration(name)
        given = {CRAWL: crawl, FETCHED_DATE: fetched_date, MODEL: model}
        fixed = {column: value for column, value in given.items() if value is not None}
        for column in fixed:
            if column not in table.partitions:
                raise ConfigError(f"table {name} is not partitioned by {column}, but by {', '.join(table.partitions)}")
            segment(column, str(fixed[column]))
        if commit_id is not None and not re.fullmatch(r"[A-Za-z0-9_.-]{1,120}", commit_id):
            raise ConfigError(f"commit id {commit_id!r} must be letters, digits, `_`, `.` and `-`, at most 120")
        try:
            files = FileMaker(self.place, table, commit_id or new_run_id(), run_id)
        except OSError as error:
            raise write_error(self.place, f"table {name}", error) from error
        return Writer(self.place, table, fixed, files, file_bytes=file_bytes)

    def write(self, name: str, rows: Rows | Iterable[pa.RecordBatch], **partition: Any) -> list[str]:
        """Write rows and commit them; returns the new files. Takes what `writer` takes."""
        is_one = isinstance(rows, pa.Table | pa.RecordBatch) or _are_mappings(rows)
        with self.writer(name, **partition) as writer:
            for part in (rows,) if is_one else rows:
                writer.add(part)
        return writer.committed


def _are_mappings(rows: object) -> bool:
    return isinstance(rows, Sequence) and all(isinstance(row, Mapping) for row in rows)
