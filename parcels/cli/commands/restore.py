"""`parcels restore`: restore the frontier and spool from a backup."""

import argparse
from pathlib import Path

from parcels.cli.commands.backup import add_crawl_arguments, crawl_of

HELP = "Restore a frontier and spool from a backup. Existing files are not overwritten. Then `parcels crawl` continues."
EXAMPLE = """
parcels restore news.tar --store STORE --crawl news
parcels restore news.tar --store STORE --crawl news --frontier redis://127.0.0.1:6379/0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="the backup")
    add_crawl_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Restore the backup and print its contents."""
    from parcels.operations.backup import restore

    saved = restore(Path(args.file), crawl_of(args))
    what = "addresses" if saved.kind == "sqlite" else "keys"
    print(f"restored {saved.entries:,} {what} of crawl '{args.crawl}', {saved.segments:,} segments of its spool")
    return 0
