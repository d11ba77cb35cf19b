"""`parcels segment PAGE…`: the segments of each page."""

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
from parcels.cli.pages import add_model_arguments, add_page_arguments, run_pages
from parcels.common.optional import require_packages
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.layout.render import lay_out
from parcels.models.registry import model_path
from parcels.processed_page import MAX_LAID_OUT
from parcels.segments.gold import LEVELS
from parcels.segments.model import KIND, SHIPPED, segmenter_at
from parcels.segments.result import segments_of_page
from parcels.segments.segmenters import DEFAULT, SEGMENTERS

HELP = "Segment pages into the parts that readers see: a tree of segments, each leaf in exactly one final segment."
EXAMPLE = """
parcels segment page.html
parcels segment page.html --level 2 --png page.png
parcels segment pages.parquet --segmenter wps-slack --workers 2 --out segments.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_page_arguments(parser)
    parser.add_argument(
        "--segmenter",
        choices=SEGMENTERS,
        default=DEFAULT,
        help=f"segmentation method (default: {DEFAULT}); see docs/segments.md",
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=LEVELS,
        default=1,
        help="1: top-level parts of a page (default); 2: blocks inside them",
    )
    add_model_arguments(parser, SHIPPED)
    add_drawing_arguments(parser, drawn=": numbered segments and their text")


def run(args: argparse.Namespace) -> int:
    """Print the segments of every page."""
    with browser_closed_at_end():
        directory, png = check_drawing(args)
        if args.segmenter == "gcuts":
            require_packages("scipy", extra="learn", purpose="`--segmenter gcuts`")
        model = model_path(args.model, args.store, KIND)
        segmenter_at(model)  # a broken model is one error, not one per page
        one_page = partial(
            page_to_json,
            segmenter=args.segmenter,
            level=args.level,
            model=model,
            renderer=args.renderer,
            directory=directory,
            png=png,
        )
        return run_pages(args, one_page)


def page_to_json(
    raw: RawPage,
    *,
    segmenter: str,
    level: int,
    model: str,
    renderer: str,
    directory: Path | None = None,
    png: Path | None = None,
) -> dict[str, Any]:
    """Return one page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    if len(page.nodes) > MAX_LAID_OUT:
        raise SkipRecord("too-large", raw.name, f"more than {MAX_LAID_OUT:,} elements: too many to lay out")
    browser = browser_for(renderer)
    laid = lay_out(page, css=raw.css, folder=raw.folder, directory=directory, renderer=renderer, browser=browser)
    segments = segments_of_page(laid, segmenter_at(model), segmenter=segmenter, level=level)
    if png is not None:
        from parcels.segments.picture import draw

        write_picture(png, draw(laid, segments))
    return segments.to_json()
