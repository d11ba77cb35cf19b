"""`parcels layout PAGE…`: boxes on the virtual screen, and areas."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from parcels.cli.output.drawing import (
    add_drawing_arguments,
    browser_closed_at_end,
    browser_for,
    check_drawing,
    write_picture,
)
from parcels.cli.pages import add_page_arguments, run_pages
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.layout.areas import RECOGNISERS
from parcels.layout.render import WIDTH, lay_out
from parcels.layout.result import layout_result

HELP = "Lay pages out on a screen without a browser: a box and an area for every element and visible leaf."
EXAMPLE = """
parcels layout page.html
parcels layout page.html --css saved-sheets/ --png page.png
parcels layout pages.parquet --renderer chromium --workers 2 --out boxes.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--recogniser",
        choices=list(RECOGNISERS),
        default="evidence",
        help="recogniser of areas: evidence (default), or kovacevic (five heuristics, 2003)",
    )
    parser.add_argument(
        "--width", type=float, default=WIDTH, metavar="N", help=f"width of the screen in pixels (default: {WIDTH:g})"
    )
    add_drawing_arguments(parser, drawn=": boxes, areas with their names, text")


def run(args: argparse.Namespace) -> int:
    """Print the layout of every page."""
    with browser_closed_at_end():
        directory, png = check_drawing(args)
        one_page = partial(
            page_to_json,
            directory=directory,
            renderer=args.renderer,
            recogniser=args.recogniser,
            width=args.width,
            png=png,
        )
        return run_pages(args, one_page)


def page_to_json(
    raw: RawPage, *, directory: Path | None, renderer: str, recogniser: str, width: float, png: Path | None = None
) -> dict[str, Any]:
    """Return one page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    laid = lay_out(
        page,
        css=raw.css,
        folder=raw.folder,
        directory=directory,
        renderer=renderer,
        width=width,
        recogniser=recogniser,
        browser=browser_for(renderer),
    )
    if png is not None:
        from parcels.layout.picture import draw

        write_picture(png, draw(page, laid.layout, laid.areas))
    return layout_result(laid).to_json()
