"""What all commands on pages share: their arguments, the loop over pages, output, errors, processes."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from parcels.cli.memory import look_seldom, settle_memory
from parcels.cli.progress import Progress
from parcels.errors import ConfigError, SkipRecord
from parcels.inputs import MAX_BYTES, BadPage, RawPage, count_pages, is_single, read_pages

NO_PAGE_SUCCEEDED = 3

Line = dict[str, Any] | bytes  # bytes are JSON already, of a page that succeeded
OnePage = Callable[[RawPage], Line]


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """PAGE… and the options of every command that reads pages."""
    parser.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help="a file (.html, .html.gz), a folder of them, a .parquet with the columns page and html, - or an address",
    )
    parser.add_argument("--url", help="the address of the one page that is given as a file")
    parser.add_argument("--out", metavar="FILE", help="write there instead of standard output")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help=f"skip larger pages (default: {MAX_BYTES})")
    parser.add_argument("--no-progress", action="store_true", help="no progress on standard error")


def run_pages(args: argparse.Namespace, one_page: OnePage) -> int:
    """Print a line of JSON a page (indented for one page on a terminal); 0 if any page succeeded, else 3."""
    if args.workers < 1:
        raise ConfigError("--workers must be at least 1")
    look_seldom()
    is_one = is_single(args.pages)
    for_eyes = orjson.OPT_INDENT_2 if is_one and args.out is None and sys.stdout.isatty() else 0
    succeeded = 0
    pages = read_pages(args.pages, url=args.url, max_bytes=args.max_bytes)
    total = None if is_one else count_pages(args.pages)
    with output(args.out) as out, Progress("pages", total=total, enabled=not args.no_progress) as progress:
        for line in results(pages, one_page, workers=args.workers):
            error = None if isinstance(line, bytes) else line.get("error")
            has_failed = error is not None
            succeeded += not has_failed
            if has_failed:
                print(f"parcels: {error}", file=sys.stderr)
            out.write(_written(line, for_eyes) + b"\n")
            progress.add(failed=has_failed)
    return 0 if succeeded else NO_PAGE_SUCCEEDED


def _written(line: Line, option: int) -> bytes:
    if isinstance(line, bytes):
        return orjson.dumps(orjson.loads(line), option=option) if option else line
    return orjson.dumps(line, option=option)


def results(pages: Iterator[RawPage | BadPage], one_page: OnePage, *, workers: int) -> Iterator[Line]:
    """The result of each page, in order, or a line with `page` and `error`."""
    work = partial(_guarded, one_page)
    if workers == 1:
        return _one_by_one(work, pages)
    from parcels.cli.pool import PagePool

    return PagePool(work, workers=workers).results(pages)


def _one_by_one(work: Callable[[RawPage | BadPage], Line], pages: Iterator[RawPage | BadPage]) -> Iterator[Line]:
    for number, page in enumerate(pages):
        if number == 1:  # the first one loaded the models; a single page need not pay for this
            settle_memory()
        yield work(page)


def _guarded(one_page: OnePage, page: RawPage | BadPage) -> Line:
    if isinstance(page, BadPage):
        return {"page": page.name, "error": str(page.error), "reason": page.error.reason}
    try:
        return one_page(page)
    except SkipRecord as error:
        return {"page": page.name, "error": str(error), "reason": error.reason}


@contextlib.contextmanager
def output(path: str | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that gets its name only when it is complete."""
    if path is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if not target.parent.is_dir():
        raise ConfigError(f"--out {path}: there is no folder {target.parent}")
    if target.exists() and not target.is_file():  # a pipe or device has no half-written state
        with target.open("wb") as file:
            yield file
        return
    unfinished = target.with_name(target.name + ".part")
    try:
        with unfinished.open("wb") as file:
            yield file
    except OSError as error:
        raise ConfigError(f"--out {path}: {error.strerror}") from error
    unfinished.replace(target)
