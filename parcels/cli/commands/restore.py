"""`parcels restore`: what `parcels backup` copied, back where a crawl looks for it."""

import argparse
from pathlib import Path

from parcels.cli.commands.backup import add_crawl_arguments, crawl_of

HELP = "Put a copied frontier and spool back. Nothing that is there is overwritten; then `parcels crawl` continues."
EXAMPLE = """
parcels restore news.tar --store STORE --crawl news
parcels restore news.tar --store STORE --crawl news --frontier redis://127.0.0.1:6379/0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="the copy")
    add_crawl_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Restore, and say what there is now."""
    from parcels.operations.backup import restore

    saved = restore(Path(args.file), crawl_of(args))
    what = "addresses" if saved.kind == "sqlite" else "keys"
    print(f"restored {saved.entries:,} {what} of crawl '{args.crawl}', {saved.segments:,} segments of its spool")
    return 0
