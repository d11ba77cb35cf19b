"""`parcels layout PAGE…`: boxes on the virtual screen and areas."""

import argparse
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parcels.cli.pages import add_page_arguments, run_pages
from parcels.errors import ConfigError
from parcels.inputs import RawPage, is_single
from parcels.layout.areas import RECOGNISERS
from parcels.layout.render import RENDERERS, WIDTH, lay_out
from parcels.layout.result import layout_result
from parcels.page import read_page

if TYPE_CHECKING:
    from parcels.layout.chromium import ChromiumRenderer

HELP = "Lay pages out on a screen without a browser: a box and an area for every element and visible leaf."
EXAMPLE = """
parcels layout page.html
parcels layout page.html --css saved-sheets/ --png page.png
parcels layout pages.parquet --renderer chromium --workers 2 --out boxes.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_page_arguments(parser)
    parser.add_argument("--renderer", choices=RENDERERS, default="virtual", help="who places the boxes (virtual)")
    parser.add_argument(
        "--recogniser",
        choices=list(RECOGNISERS),
        default="evidence",
        help="who names the areas: evidence (default), or kovacevic, the five heuristics of 2003",
    )
    parser.add_argument("--width", type=float, default=WIDTH, metavar="N", help=f"of the screen (default: {WIDTH:g})")
    parser.add_argument("--css", metavar="DIR", help="a folder with the pages' style sheets, by host and path or name")
    parser.add_argument("--png", metavar="FILE", help="also draw the one page that is given: boxes, areas, text bars")


def run(args: argparse.Namespace) -> int:
    """Print the layout of every page."""
    if args.css is not None and not Path(args.css).is_dir():
        raise ConfigError(f"--css {args.css}: there is no such folder")
    if args.png is not None:
        if not is_single(args.pages):
            raise ConfigError("--png draws one page; several were given")
        if not Path(args.png).absolute().parent.is_dir():
            raise ConfigError(f"--png {args.png}: there is no folder {Path(args.png).parent}")
    if args.renderer == "chromium" and args.workers == 1:
        _browser()  # a missing Chromium is one message, not one a page
    one_page = partial(
        page_to_json,
        directory=Path(args.css) if args.css else None,
        renderer=args.renderer,
        recogniser=args.recogniser,
        width=args.width,
        png=Path(args.png) if args.png else None,
    )
    return run_pages(args, one_page)


def page_to_json(
    raw: RawPage, *, directory: Path | None, renderer: str, recogniser: str, width: float, png: Path | None = None
) -> dict[str, Any]:
    """One page's line of output."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    laid = lay_out(
        page,
        css=raw.css,
        folder=raw.folder,
        directory=directory,
        renderer=renderer,
        width=width,
        recogniser=recogniser,
        browser=_browser() if renderer == "chromium" else None,
    )
    if png is not None:
        from parcels.layout.picture import draw

        try:
            png.write_bytes(draw(page, laid.layout, laid.areas))
        except OSError as error:
            raise ConfigError(f"--png {png}: {error.strerror}") from error
    return layout_result(laid).to_json()


@cache
def _browser() -> "ChromiumRenderer":
    """This process's browser, started with its first page and ended with the process."""
    from multiprocessing.util import Finalize

    from parcels.layout.chromium import ChromiumRenderer

    browser = ChromiumRenderer()
    browser.start()
    Finalize(browser, browser.close, exitpriority=10)
    return browser
