"""What the commands share that lay a page out and draw it: their arguments, and this process's browser."""

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
    """Who places the boxes, with which sheets, and a picture; `drawn` says what is in it."""
    parser.add_argument("--renderer", choices=RENDERERS, default="virtual", help="who places the boxes (virtual)")
    parser.add_argument("--css", metavar="DIR", help="a folder with the pages' style sheets, by host and path or name")
    parser.add_argument("--png", metavar="FILE", help=f"also draw the one page that is given{drawn}")


def check_drawing(args: argparse.Namespace) -> tuple[Path | None, Path | None]:
    """The folder of sheets and the file of the picture; what is wrong is told once, before the first page."""
    if args.css is not None and not Path(args.css).is_dir():
        raise ConfigError(f"--css {args.css}: there is no such folder")
    if args.png is not None:
        if not is_single(args.pages):
            raise ConfigError("--png draws one page; several were given")
        if not Path(args.png).absolute().parent.is_dir():
            raise ConfigError(f"--png {args.png}: there is no folder {Path(args.png).parent}")
    if args.renderer == CHROMIUM and args.workers == 1:
        browser()  # a missing Chromium is one message, not one a page
    return Path(args.css) if args.css else None, Path(args.png) if args.png else None


def write_picture(path: Path, picture: bytes) -> None:
    """Write the picture where `--png` says."""
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise ConfigError(f"--png {path}: {error.strerror}") from error


def browser_for(renderer: str) -> "ChromiumRenderer | None":
    """The browser, where it is the renderer."""
    return browser() if renderer == CHROMIUM else None


@cache
def browser() -> "ChromiumRenderer":
    """This process's browser, started with its first page."""
    from multiprocessing.util import Finalize

    from parcels.layout.chromium.renderer import ChromiumRenderer

    found = ChromiumRenderer()
    found.start()
    Finalize(None, close_browser, exitpriority=10)  # runs when a worker process ends; the main one closes it itself
    return found


def close_browser() -> None:
    """End this process's browser, if one was started.

    The main process must call this before it ends: at exit, the thread that talks with the browser is gone already.
    """
    if browser.cache_info().currsize:
        found = browser()
        browser.cache_clear()
        found.close()


@contextlib.contextmanager
def browser_closed_at_end() -> Iterator[None]:
    """End the browser behind a command, whatever happens."""
    try:
        yield
    finally:
        close_browser()
