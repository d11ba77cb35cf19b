"""`parcels forget`: addresses or hosts out of every table, and never again into the frontier."""

import argparse
import sys

from parcels.cli.commands.crawl import crawler
from parcels.errors import ConfigError

HELP = (
    "Forget addresses or whole hosts: rewrite every table without them, and bar them from every crawl into this store. "
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
    add("targets", nargs="+", metavar="URL|HOST", help="an address, or the exact name of a host")
    add("--store", required=True, help="folder or URI of the store")
    add("--frontier", metavar="WHERE", help="a frontier that is not in the store: redis://… or sqlite:PATH")
    add("--crawl", metavar="NAME", help="with --frontier: the crawl's name (default: all crawls of the store)")
    add("--dry-run", action="store_true", help="count what would go, change nothing")
    add("--format", choices=("text", "json"), default="text", help="(default text)")


def run(args: argparse.Namespace) -> int:
    """Bar, then rewrite, then say what went and what is left to do by hand."""
    from parcels.operations.forget import as_json, forget, other_folders
    from parcels.operations.targets import Targets
    from parcels.store import open_store

    store = open_store(args.store)
    targets = Targets.of(args.targets)
    barring = crawler("frontier.barring")
    waiting = barring.unsealed(store)
    if waiting:
        raise ConfigError(
            f"{waiting[0]} holds pages that are not in the tables yet: continue that crawl to its end, or stop it by "
            "Ctrl-C so that it seals them, then run this again"
        )
    if not args.dry_run:
        barring.remember_barred(store, targets.urls, targets.hosts)
        for where in barring.bar_everywhere(store, frontier=args.frontier, crawl=args.crawl):
            print(f"barred in {where}", file=sys.stderr)
    gone = forget(store, targets, dry_run=args.dry_run)
    left = other_folders(store)
    if args.format == "json":
        print(as_json(gone, left))
        return 0
    verb = "would go" if args.dry_run else "gone"
    for table, count in sorted(gone.items()):
        print(f"{table}: {count:,} rows {verb}")
    if not gone:
        print("no table has anything of it")
    for one in left:
        print(f"look into {one.folder} ({one.files:,} files) yourself: {one.advice}", file=sys.stderr)
    return 0
