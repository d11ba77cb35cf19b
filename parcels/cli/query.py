"""`parcels query`: SQL over the tables of a store."""

import argparse
import contextlib
import csv
import io
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as futures_wait
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from parcels.cli.cells import as_json, as_text, draw
from parcels.cli.progress import BAR_SECONDS, LINE_SECONDS, QUIET_SECONDS
from parcels.errors import ConfigError, InputMissing

if TYPE_CHECKING:
    from parcels.store import Store

HELP = "SQL over the tables of a store; each table is a view by its name (parcels schema shows them)."
EXAMPLE = """
parcels query "SELECT host, count(*) AS pages FROM pages GROUP BY host ORDER BY pages DESC LIMIT 10" --store STORE
parcels query "SELECT url, text FROM classified_blocks WHERE label = 'title'" --store STORE --format csv --out a.csv
echo "SELECT reason, count(*) FROM rejects GROUP BY 1" | parcels query - --store STORE --format json
parcels query "SELECT label, count(*) FROM labels GROUP BY label" --store s3://bucket/store --engine spark --master yarn
"""
TABLE_ROWS = 1000
CELL_WIDTH = 60  # where the output is not a terminal, whose width would say it
BATCH_ROWS = 1024
LONGEST = 2000  # characters of a cell that may be shown

Row = tuple[Any, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("sql", metavar="SQL", help="SQL of the engine; `-` reads it from standard input")
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb", help="(default duckdb)")
    parser.add_argument("--master", default="local[*]", help="of Spark (default local[*])")
    parser.add_argument(
        "--format", choices=("table", "csv", "json"), default="table",
        help="table: for reading, long text cut; csv; json: one object a line. Bytes: UTF-8, or \\xNN",
    )  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="write there instead of to standard output")
    parser.add_argument(
        "--rows", type=int, default=TABLE_ROWS, metavar="N", help=f"of a table, at most (default {TABLE_ROWS})"
    )
    parser.add_argument("--limit-width", type=int, metavar="N", help="longest cell of a table; 0: no limit")
    parser.add_argument("--no-progress", action="store_true", help="say nothing while it runs")


def run(args: argparse.Namespace) -> None:
    """Run the query and print what it finds."""
    text = (sys.stdin.read() if args.sql == "-" else args.sql).strip()
    if not text:
        raise ConfigError("the query is empty")

    from parcels.store import open_store

    store = open_store(args.store)
    if args.engine == "spark":
        _ask_spark(args, store, text)
    else:
        _ask_duckdb(args, store, text)


def _ask_spark(args: argparse.Namespace, store: "Store", text: str) -> None:
    """The same tables by the same names; rows come to this machine one partition at a time."""
    from parcels.cli.run import jobs

    spark = jobs("session").open_session(args.master, name="parcels query")
    try:
        names, rows = jobs("views").ask(spark, store, text)
        if names:
            first = next(rows, None)
            with _output(args.out) as out:
                _print(args, out, names, _from_first(first, rows))
    finally:
        spark.stop()


def _ask_duckdb(args: argparse.Namespace, store: "Store", text: str) -> None:
    import duckdb

    from parcels.sql import connect, explain

    connection = connect(store)
    try:
        with Worker(connection, enabled=not args.no_progress) as worker:
            relation = worker.ask(lambda: connection.sql(text))
            if relation is None:
                return
            rows = _rows(worker, worker.ask(lambda: relation.to_arrow_reader(BATCH_ROWS)))
            first = next(rows, None)
            with _output(args.out) as out:
                _print(args, out, list(relation.columns), _from_first(first, rows))
    except duckdb.Error as error:
        raise explain(error, store) from error
    finally:
        connection.close()


def _rows(worker: "Worker", reader: Any) -> Iterator[Row]:
    while (batch := worker.ask(lambda: next(reader, None))) is not None:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _from_first(first: Row | None, rest: Iterator[Row]) -> Iterator[Row]:
    if first is not None:
        yield first
        yield from rest


def _print(args: argparse.Namespace, out: TextIO, names: list[str], rows: Iterator[Row]) -> None:
    if args.format == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([as_text(value) for value in row] for row in rows)
    elif args.format == "json":
        unique = _unique(names)
        for row in rows:
            out.write(as_json(dict(zip(unique, row, strict=True))) + "\n")
    else:
        keep = None if args.limit_width == 0 else max(LONGEST, args.limit_width or 0)
        shown = [tuple(_short(value, keep) for value in row) for row in islice(rows, args.rows)]
        is_terminal = out.isatty()
        room = shutil.get_terminal_size().columns if is_terminal else None
        limit = args.limit_width if args.limit_width is not None else None if is_terminal else CELL_WIDTH
        out.write(draw(names, shown, limit=limit, room=room if args.limit_width is None else None))
        if next(rows, None) is not None:
            print(
                f"parcels: the first {len(shown):,} rows; for more: --rows N, or --format csv or json", file=sys.stderr
            )


def _short(value: Any, keep: int | None) -> Any:
    """A thousand pages of which sixty characters are shown need not be in memory."""
    return value[:keep] if keep and isinstance(value, str | bytes) else value


def _unique(names: list[str]) -> list[str]:
    """Names as keys of an object.

    >>> _unique(["url", "n", "url"])
    ['url', 'n', 'url_2']
    """
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return out


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[TextIO]:
    if path is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    try:
        file = Path(path).open("w", encoding="utf-8", errors="backslashreplace", newline="")  # noqa: SIM115
    except OSError as error:
        raise InputMissing(f"cannot write {path}: {error.strerror}") from error
    with file:
        yield file


class Worker:
    """Runs what may take long in a thread, so that this one can say how far it is and hear Ctrl-C."""

    def __init__(self, connection: Any, *, enabled: bool):
        self._connection, self._enabled = connection, enabled
        self._is_terminal = sys.stderr.isatty()
        self._pool = ThreadPoolExecutor(1)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def ask(self, work: Callable[[], Any]) -> Any:
        """The result of the work."""
        future = self._pool.submit(work)
        wait, is_told = QUIET_SECONDS, False
        try:
            while not futures_wait([future], wait).done:
                wait, is_told = BAR_SECONDS if self._is_terminal else LINE_SECONDS, self._enabled
                if self._enabled:
                    self._tell()
            return future.result()
        except KeyboardInterrupt:
            self._connection.interrupt()
            raise
        finally:
            if is_told and self._is_terminal:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _tell(self) -> None:
        share = self._connection.query_progress()
        state = f"query: {share:.0f} % done" if 0 < share < 100 else "query: running"
        start, end = ("\r\x1b[K", "") if self._is_terminal else ("", "\n")
        print(f"{start}{state}", end=end, file=sys.stderr, flush=True)
