"""`parcels schema`: the tables as text, Markdown (docs/schema.md) or JSON."""

import argparse
import json
import textwrap
from collections.abc import Iterable

from parcels.errors import ConfigError
from parcels.nearest import did_you_mean
from parcels.schema import Table
from parcels.tables import TABLES, VIEW_DOCS, VIEWS

HELP = "The tables of a store: their columns, types, keys and partitions."
EXAMPLE = """
parcels schema
parcels schema pages
parcels schema --format markdown > docs/schema.md
"""
WIDTH = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("table", nargs="?", metavar="TABLE", help="one table (default: all)")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="(default text)")


def run(args: argparse.Namespace) -> None:
    """Print the tables."""
    if args.table is not None and args.table not in TABLES:
        hint = did_you_mean(args.table, TABLES)
        raise ConfigError(f"there is no table '{args.table}'.{hint} known: {', '.join(TABLES)}")
    tables = [TABLES[args.table]] if args.table else list(TABLES.values())
    if args.format == "json":
        print(json.dumps([as_json(table) for table in tables], indent=2))
    elif args.format == "markdown":
        print(markdown(tables), end="")
    elif args.table:
        print("\n".join(text(tables[0])))
    else:
        width = max(map(len, TABLES))
        print("\n".join(f"{table.name:<{width}}  {first_sentence(table.doc)}" for table in tables))
        print("\n".join(f"{name:<{width}}  {doc} (view)" for name, doc in VIEW_DOCS.items()))
        print("\n`parcels schema TABLE` shows its columns.")


def first_sentence(doc: str) -> str:
    """The text up to the first full stop.

    >>> first_sentence("Pages. They stay.")
    'Pages.'
    """
    return doc.partition(". ")[0].rstrip(".") + "."


def text(table: Table) -> Iterable[str]:
    """One table for a terminal."""
    yield f"{table.name} (columns v{table.version})"
    yield from textwrap.wrap(table.doc, WIDTH)
    yield f"key: {', '.join(table.key)}; partitions: {', '.join(table.partitions)}; written by: {written_by(table)}"
    yield ""
    width = max(len(column.name) for column in table.all_columns)
    for column in table.all_columns:
        yield f"  {column.name:<{width}}  {column.type_name}{', may be null' if column.nullable else ''}"
        yield from textwrap.wrap(
            column.doc, WIDTH, initial_indent=" " * (width + 4), subsequent_indent=" " * (width + 4)
        )


def written_by(table: Table) -> str:
    """Who writes a table, in words."""
    return ", ".join(name.replace("-", " ") for name in table.written_by)


def markdown(tables: Iterable[Table]) -> str:
    """The tables as one page."""
    lines = [
        "# Tables",
        "",
        "Made by `parcels schema --format markdown` from `parcels/tables.py`: change it there.",
        "",
        "A table is a folder of Parquet files (zstd). Partition columns live in the path only, hive style",
        "(`pages/crawl=news/fetched_date=2024-05-01/`). Times are UTC, in microseconds. Ids are hex digits:",
        "32 for pages, runs and contents, 46 for blocks.",
    ]
    for table in tables:
        lines += ["", f"## {table.name}", "", table.doc, ""]
        lines += [f"Key: {_code(table.key)}. Partitions: {_code(table.partitions)}. Written by: {written_by(table)}."]
        lines += ["", "| column | type | null | meaning |", "|---|---|---|---|"]
        lines += [
            f"| {column.name} | `{column.type_name}` | {'yes' if column.nullable else ''} | {column.doc} |"
            for column in table.all_columns
        ]
    for name, query in VIEWS.items():
        lines += ["", f"## {name} (view)", "", VIEW_DOCS[name], "", "```sql", query.strip(), "```"]
    return "\n".join(lines) + "\n"


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def as_json(table: Table) -> dict[str, object]:
    """One table for programs."""
    return {
        "name": table.name,
        "doc": table.doc,
        "key": table.key,
        "partitions": table.partitions,
        "written_by": table.written_by,
        "version": table.version,
        "columns": [
            {"name": column.name, "type": column.type_name, "nullable": column.nullable, "doc": column.doc}
            for column in table.all_columns
        ],
    }
