"""`parcels drift`: sites whose pages look different from before, by the labels of their blocks."""

import argparse
import json

HELP = "Label shares of each site over time: which sites have changed so that their labels should be looked at."
EXAMPLE = """
parcels drift --store STORE
parcels drift --store STORE --by day --host news.example --all
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("--store", required=True, help="folder or URI of the store")
    add("--by", default="week", choices=("day", "week", "month"), help="period of the fetch date (default week)")
    add("--host", metavar="HOST", help="only this host (default: all)")
    add("--crawl", metavar="NAME", help="only this crawl (default: all)")
    add("--model", metavar="NAME", help="whose labels (default: the current one, see parcels models)")
    add("--all", action="store_true", help="every host and period (default: those that changed much)")
    add("--format", choices=("text", "json"), default="text", help="(default text)")


def run(args: argparse.Namespace) -> int:
    """Print a line a host and period."""
    from parcels.operations.drift import ALARM, drift
    from parcels.store import open_store

    found = drift(open_store(args.store), period=args.by, host=args.host, model=args.model, crawl=args.crawl)
    shown = [one for one in found if args.all or one.is_alarming]
    for one in shown:
        if args.format == "json":
            print(json.dumps({**one._asdict(), "period": one.period.isoformat(), "is_alarming": one.is_alarming}))
            continue
        changed = "first" if one.distance is None else f"{one.distance:.2f} ({one.moved})"
        print(f"{one.period} {one.host}: {one.pages:,} pages, {one.blocks:,} blocks, changed {changed}")
    if args.format == "text":
        hosts = len({one.host for one in found})
        alarming = len({one.host for one in found if one.is_alarming})
        print(f"{alarming:,} of {hosts:,} hosts had a {args.by} with {ALARM:.0%} of the labels moved, or more")
    return 0
