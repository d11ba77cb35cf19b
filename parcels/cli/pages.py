"""Provide what all commands on pages share: arguments, the loop over pages, output, errors, processes."""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import orjson

from parcels.common.memory import freeze_loaded_objects, raise_gc_threshold
from parcels.common.output import output
from parcels.common.progress import Progress
from parcels.errors import ConfigError, SkipRecord
from parcels.inputs import MAX_BYTES, BadPage, RawPage, count_pages, is_single, read_pages
from parcels.limits import PAGE_SECONDS, cpu_limit

NO_PAGE_SUCCEEDED = 3

Line = dict[str, Any] | bytes  # bytes are JSON already, of a page that succeeded
OnePage = Callable[[RawPage], Line]


def add_page_arguments(parser: argparse.ArgumentParser) -> None:
    """Add PAGE… and the flags of every command that reads pages."""
    parser.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help="a file (.html, .html.gz), a folder of files, a .parquet with columns page and html, - or an address",
    )
    parser.add_argument("--url", help="address of the page, if it is a single file")
    parser.add_argument("--out", metavar="FILE", help="write to FILE instead of standard output")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--max-bytes", type=int, default=MAX_BYTES, help=f"skip larger pages (default: {MAX_BYTES})")
    parser.add_argument(
        "--max-seconds",
        type=float,
        default=PAGE_SECONDS,
        metavar="S",
        help=f"skip a page after S seconds of CPU (default: {PAGE_SECONDS:g})",
    )
    parser.add_argument("--no-progress", action="store_true", help="show no progress")


def add_model_arguments(parser: argparse.ArgumentParser, default: str | None, default_help: str = "") -> None:
    """Add `--model NAME` and the store in which NAME is looked up."""
    shown = default_help or f"(default: {default})"
    parser.add_argument(
        "--model",
        default=default,
        metavar="NAME",
        help=f"a shipped model, a model folder, or a model in --store {shown}",
    )
    parser.add_argument("--store", metavar="STORE", help="also look up --model in this store")


def run_pages(args: argparse.Namespace, one_page: OnePage, *, is_json: bool = True) -> int:
    """Print one line of JSON per page (indented for one page on a terminal); return 0 if any page succeeded, else 3.

    With `is_json=False` the bytes that `one_page` returns are text for people; a page that failed is on stderr only.
    """
    if args.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {args.workers}.")
    if not args.max_seconds > 0:
        raise ConfigError(f"--max-seconds must be greater than 0, got {args.max_seconds:g}.")
    raise_gc_threshold()
    is_one = is_single(args.pages)
    is_for_people = is_json and is_one and args.out is None and sys.stdout.isatty()
    option = orjson.OPT_INDENT_2 if is_for_people else 0
    succeeded = 0
    pages = read_pages(args.pages, url=args.url, max_bytes=args.max_bytes)
    total = None if is_one else count_pages(args.pages)
    with output(args.out) as out, Progress("pages", total=total, enabled=not args.no_progress) as progress:
        for line in results(pages, one_page, workers=args.workers, seconds=args.max_seconds):
            error = None if isinstance(line, bytes) else line.get("error")
            has_failed = error is not None
            succeeded += not has_failed
            if has_failed:
                print(f"parcels: {error}", file=sys.stderr)
            if is_json or not has_failed:
                out.write(_written(line, option) + b"\n")
            progress.add(failed=has_failed)
    return 0 if succeeded else NO_PAGE_SUCCEEDED


def _written(line: Line, option: int) -> bytes:
    if isinstance(line, bytes):
        return orjson.dumps(orjson.loads(line), option=option) if option else line
    return orjson.dumps(line, option=option)


def results(
    pages: Iterator[RawPage | BadPage], one_page: OnePage, *, workers: int, seconds: float = PAGE_SECONDS
) -> Iterator[Line]:
    """Yield each page's result, in order, or a line with `page` and `error`; a page may take `seconds` of CPU."""
    work = partial(_guarded, one_page, seconds)
    if workers == 1:
        return _one_by_one(work, pages)
    from parcels.cli.pool import PagePool

    return PagePool(work, workers=workers).results(pages)


def _one_by_one(work: Callable[[RawPage | BadPage], Line], pages: Iterator[RawPage | BadPage]) -> Iterator[Line]:
    for number, page in enumerate(pages):
        if number == 1:  # the first page loaded the models; a single page does not need this
            freeze_loaded_objects()
        yield work(page)


def _guarded(one_page: OnePage, seconds: float, page: RawPage | BadPage) -> Line:
    if isinstance(page, BadPage):
        return {"page": page.name, "error": str(page.error), "reason": page.error.reason}
    try:
        with cpu_limit(seconds, page.name):
            return one_page(page)
    except SkipRecord as error:
        return {"page": page.name, "error": str(error), "reason": error.reason}
