"""Provide what the commands that lay out and draw a page share: their arguments, and the browser."""

import argparse
import contextlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from parcels.errors import ConfigError
from parcels.inputs import is_single
from parcels.layout.render import RENDERERS

if TYPE_CHECKING:
    from parcels.layout.chromium.renderer import ChromiumRenderer

CHROMIUM = "chromium"


def add_drawing_arguments(parser: argparse.ArgumentParser, *, drawn: str) -> None:
    """Add the flags for the renderer, the style sheets and a picture; `drawn` describes the picture."""
    parser.add_argument(
        "--renderer", choices=RENDERERS, default="virtual", help="renderer of the layout (default: virtual)"
    )
    parser.add_argument("--css", metavar="DIR", help="folder with the pages' style sheets, by host and path or by name")
    parser.add_argument("--png", metavar="FILE", help=f"also draw the page, if there is only one{drawn}")


def check_drawing(args: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """Return the folder of sheets and the file of the picture; raise ConfigError before the first page."""
    if args.css is not None and not Path(args.css).is_dir():
        raise ConfigError(f"--css {args.css}: The folder does not exist.")
    if args.png is not None:
        if not is_single(args.pages):
            raise ConfigError("--png draws a single page, but several were given. Name one page.")
        if not Path(args.png).absolute().parent.is_dir():
            raise ConfigError(f"--png {args.png}: The folder {Path(args.png).parent} does not exist. Create it first.")
    if args.renderer == CHROMIUM and args.workers == 1:
        browser()  # a missing Chromium is one message, not one per page
    return Path(args.css) if args.css else None, Path(args.png) if args.png else None


def write_picture(path: Path, picture: bytes) -> None:
    """Write the picture to the file of `--png`."""
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise ConfigError(f"Cannot write --png {path}: {error.strerror}") from error


def browser_for(renderer: str) -> "ChromiumRenderer | None":
    """Return the browser if it is the renderer, else None."""
    return browser() if renderer == CHROMIUM else None


@cache
def browser() -> "ChromiumRenderer":
    """Return the browser of this process, started on first use."""
    from multiprocessing.util import Finalize

    from parcels.layout.chromium.renderer import ChromiumRenderer

    renderer = ChromiumRenderer()
    renderer.start()
    Finalize(
        None, close_browser, exitpriority=10
    )  # runs at the end of a worker process; the main process closes it itself
    return renderer


def close_browser() -> None:
    """Close the browser of this process, if one was started.

    The main process must call this before it exits: at exit, the thread of the browser connection has already ended.
    """
    if browser.cache_info().currsize:
        renderer = browser()
        browser.cache_clear()
        renderer.close()


@contextlib.contextmanager
def browser_closed_at_end() -> Iterator[None]:
    """Close the browser at the end of a command, also after an error."""
    try:
        yield
    finally:
        close_browser()
