"""`parcels query`: query the tables of a store with SQL."""

import argparse
import contextlib
import re
import sys
from typing import TYPE_CHECKING

from parcels.cli.output.query_output import FORMATS, Output, format_of
from parcels.errors import ConfigError

if TYPE_CHECKING:
    from parcels.cli.output.query_engines import DuckDb, Spark
    from parcels.store import Store

HELP = (
    "Query the tables and views of a store with SQL; parcels schema lists them. "
    "Without SQL, on a terminal, it opens a shell."
)
EXAMPLE = """
parcels query "SELECT host, count(*) AS pages FROM pages GROUP BY host ORDER BY pages DESC LIMIT 10" --store STORE
parcels query "SELECT url, text FROM classified_blocks WHERE label = 'title'" --store STORE --out titles.csv
parcels query "SELECT url, title, text FROM articles_with_pages" --store STORE --out articles.parquet
echo "SELECT reason, count(*) FROM rejects GROUP BY 1" | parcels query - --store STORE --format json
parcels query --store STORE
parcels query "SELECT label, count(*) FROM labels GROUP BY label" --store s3://bucket/store --engine spark --master yarn
"""
TABLE_ROWS = 1000
UNSAFE = (
    "allow everything that the engine can do with your permissions: several statements, writing (COPY … TO, "
    "EXPORT DATABASE, ATTACH, CREATE), files outside the store (read_text), extensions (INSTALL, LOAD). Only for "
    "trusted SQL"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("sql", nargs="?", metavar="SQL", help="one SELECT statement; `-`, or none in a pipe: standard input")
    add("--store", required=True, help="folder or URI of the store")
    add("--engine", choices=("duckdb", "spark"), default="duckdb", help="SQL engine (default duckdb)")
    add("--master", default="local[*]", help="Spark master (default local[*])")
    add(
        "--format", choices=FORMATS,
        help="table (long text is cut), csv, json (one object per line), parquet or arrow. In text, bytes are "
        "UTF-8, or \\xNN (default: by the ending of --out, else table)",
    )  # fmt: skip
    add("--out", metavar="FILE", help="write to FILE; .parquet .arrow .csv .json .jsonl .txt choose the format")
    add("--rows", type=int, default=TABLE_ROWS, metavar="N", help=f"rows of a table at most (default {TABLE_ROWS})")
    add("--limit-width", type=int, metavar="N", help="widest cell of a table; 0: no limit")
    add(
        "--spreadsheet-safe", action="store_true",
        help="csv: put ' before texts that begin with = + - @, and write control characters as \\xNN",
    )  # fmt: skip
    add("--unsafe", action="store_true", help=UNSAFE)
    add("--no-progress", action="store_true", help="no progress on standard error")


def run(args: argparse.Namespace) -> None:
    """Run the query and print the result."""
    to = Output(
        format_of(args.format, args.out), args.out, args.rows, args.limit_width, is_neutral=args.spreadsheet_safe
    )
    is_shell = args.sql is None and sys.stdin.isatty()
    text = "" if is_shell else (sys.stdin.read() if args.sql in (None, "-") else args.sql).strip()
    if not text and not is_shell:
        raise ConfigError("The query is empty.")
    to.check()

    from parcels.store import open_store

    store = open_store(args.store)
    with contextlib.closing(_engine(args, store)) as engine:
        if is_shell:
            from parcels.cli.output.query_shell import Shell

            Shell(engine, to).run()
            return
        note_undecided(store, text)
        with engine.execute(text) as result:
            if result is not None:
                to.write(result)


def _engine(args: argparse.Namespace, store: "Store") -> "DuckDb | Spark":
    from parcels.cli.output.query_engines import DuckDb, Spark

    if args.engine == "spark":
        return Spark(store, master=args.master, unsafe=args.unsafe)
    return DuckDb(store, unsafe=args.unsafe, progress=not args.no_progress)


def note_undecided(store: "Store", text: str) -> None:
    """Print to stderr which model a view shows if several have rows and none was chosen."""
    from parcels.query.views import VIEWS
    from parcels.store.models import current_models, undecided

    words = set(re.findall(r"\w+", text.lower()))
    for table in sorted({view.models_of for view in VIEWS.values() if view.models_of and view.name in words}):
        if models := undecided(store, table):
            shown = ", ".join(sorted({current_models(store, table)[crawl] for crawl in models}))
            count = max(map(len, models.values()))
            print(
                f"parcels: {count} models have rows in {table}. The view shows {shown}, the last one written. "
                f"To choose one: parcels models use NAME --store {store.location.uri}",
                file=sys.stderr,
            )
