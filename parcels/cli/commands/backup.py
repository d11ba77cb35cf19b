"""`parcels backup`: copy a crawl's frontier and spool into one file."""

import argparse
from pathlib import Path
from typing import Any

from parcels.cli.commands.crawl import crawler

HELP = (
    "Copy the frontier and the spool of a crawl into one file. A SQLite frontier may be in use; the crawlers of a "
    "Redis frontier must be stopped. Tables are plain files: copy them afterwards with any tool."
)
EXAMPLE = """
parcels backup news.tar --store STORE --crawl news
parcels backup news.tar --store STORE --crawl news --frontier redis://127.0.0.1:6379/0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="file to write")
    add_crawl_arguments(parser)


def add_crawl_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags for the crawl and the location of its state."""
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    parser.add_argument("--frontier", metavar="WHERE", help="as in parcels crawl")
    parser.add_argument("--state", metavar="DIR", help="as in parcels crawl")


def crawl_of(args: argparse.Namespace) -> Any:
    """Return where a crawl keeps its state."""
    from parcels.operations.backup import Crawl
    from parcels.store import open_store

    options = crawler("options").CrawlOptions(
        store=args.store, crawl=args.crawl, frontier=args.frontier, state=args.state
    )
    folder = options.folder(open_store(args.store, create=True))
    return Crawl(args.crawl, options.frontier_at(folder), folder)


def run(args: argparse.Namespace) -> int:
    """Write the backup and print its contents."""
    from parcels.operations.backup import save
    from parcels.store import open_store

    open_store(args.store)  # raises for a missing store instead of creating it
    saved = save(crawl_of(args), Path(args.file))
    what = "addresses" if saved.kind == "sqlite" else "keys"
    print(
        f"wrote {args.file}: {saved.entries:,} {what} of crawl '{args.crawl}', {saved.segments:,} segments of its spool"
    )
    return 0
