"""`parcels blocks PAGE…`: divide pages into blocks and label them."""

import argparse
import os
import shutil
import sys
from functools import partial

import orjson

from parcels.cli.output.blocks_table import TableStyle, style_for, table_of
from parcels.cli.output.cells import visible
from parcels.cli.pages import add_model_arguments, add_page_arguments, run_pages
from parcels.common.memory import raise_gc_threshold
from parcels.divide import DIVIDERS
from parcels.inputs import RawPage, is_single
from parcels.models.registry import model_path
from parcels.processed_page import ProcessedPage
from parcels.results import DEFAULT_MODEL, blocks_of

HELP = "Divide pages into blocks and label each: every visible leaf in exactly one block, in document order."
EXAMPLE = """
parcels blocks page.html
parcels blocks page.html --format table
parcels blocks pages/ --divider coarse --model none
parcels blocks pages/ --workers 2 --out blocks.jsonl
parcels blocks page.html --store STORE --model cotrained
curl -s https://example.org/ | parcels blocks - --url https://example.org/
"""

FORMATS = ("json", "table")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--no-layout", action="store_true", help="leave out boxes, areas, hidden_reason and labels, which is faster"
    )
    add_model_arguments(parser, DEFAULT_MODEL, f"; none: no labels (default: {DEFAULT_MODEL})")
    parser.add_argument(
        "--divider", choices=list(DIVIDERS), default="fine", help="how pages are divided into blocks (default: fine)"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="json",
        help="json (default), or table: label, confidence, area and text, in colour on a terminal",
    )


def run(args: argparse.Namespace) -> int:
    """Print the blocks of every page."""
    model = None if args.no_layout or args.model == "none" else args.model
    if model is not None:
        raise_gc_threshold()
        from parcels.labels.model import KINDS, model_at

        model = model_path(model, args.store, *KINDS)
        model_at(model)  # a model that cannot be used is one error, not one per page
    settings = {"divider": args.divider, "has_layout": not args.no_layout, "model": model}
    if args.format == "json":
        return run_pages(args, partial(page_line, **settings))
    is_terminal = args.out is None and sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if is_terminal else None
    style = style_for(columns=columns, is_terminal=is_terminal, environ=os.environ)
    one_page = partial(page_table, style=style, has_name=not is_single(args.pages), **settings)
    return run_pages(args, one_page, is_json=False)


def page_line(raw: RawPage, *, divider: str, has_layout: bool, model: str | None) -> bytes:
    """Return one page's line of JSON."""
    blocks = blocks_of(ProcessedPage(raw, divider=divider), model=model, has_layout=has_layout)
    return orjson.dumps(blocks.to_json())


def page_table(
    raw: RawPage, *, style: TableStyle, has_name: bool, divider: str, has_layout: bool, model: str | None
) -> bytes:
    """Return one page's table, with its name if there are several pages."""
    blocks = blocks_of(ProcessedPage(raw, divider=divider), model=model, has_layout=has_layout)
    table = table_of(blocks, style)
    return (f"{visible(raw.name)}\n{table}\n" if has_name else table).encode("utf-8", "replace")
