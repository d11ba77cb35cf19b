"""`parcels forget`: remove addresses or hosts from every table, and bar them from the frontier."""

import argparse
import sys

from parcels.cli.commands.crawl import crawler
from parcels.errors import ConfigError

HELP = (
    "Remove addresses or whole hosts from every table, and bar them from every crawl into this store. "
    "Run it while no crawl and no job uses the store."
)
EXAMPLE = """
parcels forget http://news.example/story --store STORE --dry-run
parcels forget http://news.example/story --store STORE
parcels forget news.example www.news.example --store STORE --frontier redis://127.0.0.1:6379/0
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("targets", nargs="+", metavar="URL|HOST", help="an address, or an exact host name")
    add("--store", required=True, help="folder or URI of the store")
    add("--frontier", metavar="WHERE", help="a frontier outside the store: redis://… or sqlite:PATH")
    add("--crawl", metavar="NAME", help="with --frontier: name of the crawl (default: all crawls of the store)")
    add("--dry-run", action="store_true", help="count rows without changing anything")
    add("--format", choices=("text", "json"), default="text", help="output format (default text)")


def run(args: argparse.Namespace) -> int:
    """Bar the targets, rewrite the tables, and print the removed rows and the remaining folders."""
    from parcels.operations.forget import as_json, forget, other_folders
    from parcels.operations.targets import Targets
    from parcels.store import open_store

    store = open_store(args.store)
    targets = Targets.of(args.targets)
    blocklist = crawler("frontier.blocklist")
    waiting = blocklist.unsealed_segments(store)
    if waiting:
        raise ConfigError(
            f"{waiting[0]} has pages that are not in the tables yet. Continue that crawl to its end, or stop it with "
            "Ctrl-C so that it seals them, then run parcels forget again."
        )
    if not args.dry_run:
        blocklist.add_to_blocklist(store, targets.urls, targets.hosts)
        for where in blocklist.block_everywhere(store, frontier=args.frontier, crawl=args.crawl):
            print(f"barred in {where}", file=sys.stderr)
    gone = forget(store, targets, dry_run=args.dry_run)
    left = other_folders(store)
    if args.format == "json":
        print(as_json(gone, left))
        return 0
    verb = "would be removed" if args.dry_run else "removed"
    for table, count in sorted(gone.items()):
        print(f"{table}: {count:,} rows {verb}")
    if not gone:
        print("No table has rows of these targets.")
    for one in left:
        print(f"parcels: Not changed: {one.folder} ({one.files:,} files). {one.advice}", file=sys.stderr)
    return 0
