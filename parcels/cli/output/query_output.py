"""Writes the result of a query as a table, CSV, JSON Lines, Parquet or Arrow."""

import contextlib
import io
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from parcels.cli.output.cells import as_json, as_text, csv_line, draw, neutral, rounded, shortened, visible
from parcels.cli.output.query_engines import QueryResult
from parcels.common.output import output
from parcels.errors import ConfigError, InputMissing

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("table", "csv", "json", "parquet", "arrow")
BINARY = ("parquet", "arrow")
ENDINGS = {
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".csv": "csv",
    ".json": "json", ".jsonl": "json", ".ndjson": "json", ".txt": "table", "": "table",
}  # fmt: skip
CELL_WIDTH = 60  # for output that is not a terminal
MAX_CELL_CHARS = 2000  # characters of a cell that are kept for display

Row = tuple[Any, ...]


def format_of(given: str | None, out: str | None) -> str:
    """Return the format: the given one, else the one of the file's ending.

    >>> format_of(None, None), format_of(None, "a.parquet"), format_of("csv", "a.txt")
    ('table', 'parquet', 'csv')
    """
    if out is None:
        return given or "table"
    ending = Path(out).suffix.lower()
    if given is None and ending not in ENDINGS:
        known = " ".join(filter(None, ENDINGS))
        raise ConfigError(f"--out {out}: Unknown ending '{ending}'. Use one of {known}, or add --format.")
    by_ending = ENDINGS.get(ending)
    if given and by_ending not in (None, "table", given):
        raise ConfigError(f"--format {given} does not match --out {out}. Leave --format out, or use another ending.")
    return given or ENDINGS[ending]


@dataclass(frozen=True)
class Output:
    """The destination and format of query results."""

    format: str
    path: str | None = None
    rows: int = 1000  # of a table, at most
    limit_width: int | None = None
    is_neutral: bool = False  # CSV without texts that spreadsheets take for formulas

    def check(self) -> None:
        """Raise ConfigError or InputMissing for an invalid destination, before the query runs."""
        if self.path is not None and not Path(self.path).parent.is_dir():
            raise InputMissing(
                f"Cannot write --out {self.path}: The folder {Path(self.path).parent} does not exist. Create it first."
            )
        if self.path is None and (self.format == "parquet" or (self.format == "arrow" and sys.stdout.isatty())):
            raise ConfigError(f"--format {self.format} needs a file. Add --out FILE.")

    def write(self, result: QueryResult) -> None:
        """Write the rows; a file gets its name when it is complete, an incomplete one is deleted."""
        first = next(result.batches, None)  # errors of the query are raised before any output
        try:
            self._write(QueryResult(result.schema, _from_first(first, result.batches)))
        except BaseException:
            if self.path is not None:
                Path(self.path + ".part").unlink(missing_ok=True)
            raise

    def _write(self, result: QueryResult) -> None:
        if self.format in BINARY:
            with output(self.path) as sink:
                _write_binary(self, sink, _with_unique_names(result))
            return
        with _text_output(self.path) as out:
            {"csv": self._csv, "json": self._json, "table": self._table}[self.format](
                out, result.schema.names, _rows(result)
            )

    def _csv(self, out: TextIO, names: Sequence[str], rows: Iterable[Row]) -> None:
        cell = neutral if self.is_neutral else visible if out.isatty() else str
        out.write(csv_line([cell(name) for name in names]))
        for row in rows:
            out.write(csv_line([cell(value) if isinstance(value, str) else as_text(value) for value in row]))

    def _json(self, out: TextIO, names: Sequence[str], rows: Iterable[Row]) -> None:
        unique, shown = _unique(names), visible if out.isatty() else str
        for row in rows:
            out.write(shown(as_json(dict(zip(unique, row, strict=True)))) + "\n")

    def _table(self, out: TextIO, names: Sequence[str], rows: Iterator[Row]) -> None:
        keep = None if self.limit_width == 0 else max(MAX_CELL_CHARS, self.limit_width or 0)
        shown = [tuple(_short(rounded(value), keep) for value in row) for row in islice(rows, self.rows)]
        is_terminal = out.isatty()
        room = shutil.get_terminal_size().columns if is_terminal else None
        limit = self.limit_width if self.limit_width is not None else None if is_terminal else CELL_WIDTH
        out.write(draw(names, shown, limit=limit, room=room if self.limit_width is None else None))
        if next(rows, None) is not None:
            print(
                f"parcels: Showing the first {len(shown):,} rows. For more: --rows N, --format csv or --format json.",
                file=sys.stderr,
            )


def _from_first(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    if first is not None:
        yield first
        yield from rest


def _rows(result: QueryResult) -> Iterator[Row]:
    for batch in result.batches:
        yield from zip(*(_values(column) for column in batch.columns), strict=True)


def _values(column: "pa.Array") -> list[Any]:
    values: list[Any] = column.to_pylist()
    return [shortened(value, column.type) for value in values] if "float" in str(column.type) else values


def _short(value: Any, keep: int | None) -> Any:
    """Return a text cut to `keep` characters, to bound memory; other values unchanged."""
    return value[:keep] if keep and isinstance(value, str | bytes) else value


def _unique(names: Sequence[str]) -> list[str]:
    """Return unique names for keys of an object.

    >>> _unique(["url", "n", "url"])
    ['url', 'n', 'url_2']
    """
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return out


def _with_unique_names(result: QueryResult) -> QueryResult:
    import pyarrow as pa

    names = _unique(result.schema.names)
    schema = pa.schema([field.with_name(name) for field, name in zip(result.schema, names, strict=True)])
    return QueryResult(schema, (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in result.batches))


def _write_binary(to: Output, sink: Any, result: QueryResult) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if to.format == "parquet":
            with pq.ParquetWriter(sink, result.schema, compression="zstd") as writer:
                for group in _row_groups(result):
                    writer.write_table(group, row_group_size=max(group.num_rows, 1))
            return
        opened = pa.ipc.new_stream if to.path is None else pa.ipc.new_file  # a pipe is not seekable
        with opened(sink, result.schema) as writer:
            for batch in result.batches:
                writer.write_batch(batch)
    except pa.ArrowNotImplementedError as error:
        raise ConfigError(f"{to.format} cannot store a column: {error}. Cast it with CAST(… AS VARCHAR).") from error


def _row_groups(result: QueryResult) -> "Iterator[pa.Table]":
    """Yield batches combined to the size of the store's row groups."""
    import pyarrow as pa

    from parcels.store.writer import ROW_GROUP_BYTES, ROW_GROUP_ROWS

    waiting: list[pa.RecordBatch] = []
    for batch in result.batches:
        waiting.append(batch)
        is_full = sum(one.num_rows for one in waiting) >= ROW_GROUP_ROWS
        if is_full or sum(one.nbytes for one in waiting) >= ROW_GROUP_BYTES:
            yield pa.Table.from_batches(waiting, result.schema)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting, result.schema)


@contextlib.contextmanager
def _text_output(path: str | None) -> Iterator[TextIO]:
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    with output(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()
