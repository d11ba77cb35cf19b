"""`parcels schema`: the tables as text, Markdown (docs/schema.md) or JSON."""

import argparse
import json
import textwrap
from collections.abc import Iterable

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError
from parcels.query.schema import Column, Table
from parcels.query.views import IS_CURRENT, VIEWS, View
from parcels.tables import TABLES

HELP = "Show the tables and views of a store: columns, types, keys and partitions."
EXAMPLE = """
parcels schema
parcels schema pages
parcels schema classified_blocks
parcels schema --format markdown > docs/schema.md
"""
WIDTH = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("table", nargs="?", metavar="TABLE", help="one table or view (default: all)")
    parser.add_argument(
        "--format", choices=("text", "markdown", "json"), default="text", help="output format (default text)"
    )


def run(args: argparse.Namespace) -> None:
    """Print the tables."""
    if args.format == "text":
        print_text(args.table)
        return
    tables = [table_or_view(args.table)] if args.table else list(TABLES.values())
    if args.format == "json":
        print(json.dumps([as_json(table) for table in tables], indent=2))
    elif args.table in VIEWS:
        print("\n".join(_view_lines(VIEWS[args.table])))
    else:
        print(markdown(TABLES[table.name] for table in tables), end="")


def table_or_view(name: str) -> Table | View:
    """Return a table or view by name."""
    if name in VIEWS:
        return VIEWS[name]
    if name not in TABLES:
        known = [*TABLES, *VIEWS]
        raise ConfigError(f"Unknown table or view '{name}'.{did_you_mean(name, known)} Known: {', '.join(known)}.")
    return TABLES[name]


def print_text(name: str | None) -> None:
    """Print one table or view for a terminal, or one line for each of them."""
    if name is not None:
        print("\n".join(text(table_or_view(name))))
        return
    width = max(map(len, (*TABLES, *VIEWS)))
    print("\n".join(f"{table.name:<{width}}  {first_sentence(table.doc)}" for table in TABLES.values()))
    print("\n".join(f"{view.name:<{width}}  {view.doc} (view)" for view in VIEWS.values()))
    print("\n`parcels schema NAME` shows the columns of a table or view.")


def first_sentence(doc: str) -> str:
    """Return the text up to the first full stop.

    >>> first_sentence("Pages. They stay.")
    'Pages.'
    """
    return doc.partition(". ")[0].rstrip(".") + "."


def text(table: Table | View) -> Iterable[str]:
    """Yield the lines of one table or view for a terminal."""
    if isinstance(table, View):
        yield f"{table.name} (view)"
        yield from textwrap.wrap(table.doc, WIDTH)
        yield from ("", *(f"  {line}" for line in _query(table).splitlines()))
    else:
        yield f"{table.name} (columns v{table.version})"
        yield from textwrap.wrap(table.doc, WIDTH)
        yield f"key: {', '.join(table.key)}; partitions: {', '.join(table.partitions)}; written by: {written_by(table)}"
    yield ""
    columns = columns_of(table)
    width = max(len(column.name) for column in columns)
    for column in columns:
        yield f"  {column.name:<{width}}  {column.type_name}{', may be null' if column.nullable else ''}"
        yield from textwrap.wrap(
            column.doc, WIDTH, initial_indent=" " * (width + 4), subsequent_indent=" " * (width + 4)
        )


def columns_of(table: Table | View) -> tuple[Column, ...]:
    """Return the columns that a reader sees."""
    return table.columns if isinstance(table, View) else table.all_columns


def _query(view: View) -> str:
    """Return the query of a view, with a placeholder for the current models."""
    return view.sql("… the current model of each crawl …")


def written_by(table: Table) -> str:
    """Return the writers of a table."""
    return ", ".join(name.replace("-", " ") for name in table.written_by)


def markdown(tables: Iterable[Table]) -> str:
    """Return the tables as one page."""
    lines = [
        "# Tables",
        "",
        "Generated from `parcels/tables.py` by `parcels schema --format markdown`. Do not edit this page.",
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
    for view in VIEWS.values():
        lines += ["", *_view_lines(view)]
    return "\n".join(lines) + "\n"


def _view_lines(view: View) -> list[str]:
    """Return a view as lines of Markdown."""
    names = _code(column.name for column in view.columns)
    query = [] if IS_CURRENT in view.text else ["", "```sql", view.text.strip(), "```"]
    return [f"## {view.name} (view)", "", view.doc, "", f"Columns: {names}.", *query]


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def as_json(table: Table | View) -> dict[str, object]:
    """Return one table or view as plain data."""
    columns = [
        {"name": column.name, "type": column.type_name, "nullable": column.nullable, "doc": column.doc}
        for column in columns_of(table)
    ]
    if isinstance(table, View):
        return {"name": table.name, "doc": table.doc, "is_view": True, "columns": columns}
    return {
        "name": table.name,
        "doc": table.doc,
        "key": table.key,
        "partitions": table.partitions,
        "written_by": table.written_by,
        "version": table.version,
        "columns": columns,
    }
