"""`parcels blocks PAGE…`: divide pages into blocks and label them."""

import argparse
from functools import partial

from parcels.cli.memory import look_seldom
from parcels.cli.pages import add_page_arguments, run_pages
from parcels.divide import DIVIDERS
from parcels.inputs import RawPage
from parcels.page import read_page
from parcels.results import DEFAULT_MODEL, blocks_to_line, laid_within_bounds

HELP = "Divide pages into blocks and label each: every visible leaf in exactly one block, in document order."
EXAMPLE = """
parcels blocks page.html
parcels blocks pages/ --divider coarse --model none
parcels blocks pages/ --workers 2 --out blocks.jsonl
curl -s https://example.org/ | parcels blocks - --url https://example.org/
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--no-layout", action="store_true", help="leave out boxes, areas, hidden_reason and labels: quicker"
    )
    parser.add_argument(
        "--model",
        default=DEFAULT_MODEL,
        metavar="NAME",
        help=f"a shipped model or a model's folder; none: no labels (default: {DEFAULT_MODEL})",
    )
    parser.add_argument("--divider", choices=list(DIVIDERS), default="fine", help="how pages are cut (default: fine)")


def run(args: argparse.Namespace) -> int:
    """Print the blocks of every page."""
    model = None if args.no_layout or args.model == "none" else args.model
    if model is not None:
        look_seldom()
        from parcels.classify.model import model_at

        model_at(model)  # a model that cannot be used is one error, not one a page
    return run_pages(args, partial(page_line, divider=args.divider, has_layout=not args.no_layout, model=model))


def page_line(raw: RawPage, *, divider: str, has_layout: bool, model: str | None) -> bytes:
    """One page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    laid = laid_within_bounds(page, css=raw.css, folder=raw.folder) if has_layout else None
    return blocks_to_line(page, divider=divider, laid=laid, model=model)
