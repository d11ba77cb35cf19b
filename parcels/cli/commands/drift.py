"""`parcels drift`: changes in the labels of sites over time."""

import argparse
import json

HELP = "Compare the label shares of each site over time, and list the sites whose labels should be checked."
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
    add("--model", metavar="NAME", help="model of the labels (default: the current one, see parcels models)")
    add("--all", action="store_true", help="list every host and period (default: only large changes)")
    add("--format", choices=("text", "json"), default="text", help="output format (default text)")


def run(args: argparse.Namespace) -> int:
    """Print one line per host and period."""
    from parcels.operations.drift import ALARM, drift
    from parcels.store import open_store

    all_rows = drift(open_store(args.store), period=args.by, host=args.host, model=args.model, crawl=args.crawl)
    rows = [row for row in all_rows if args.all or row.is_alarming]
    for row in rows:
        if args.format == "json":
            print(json.dumps({**row._asdict(), "period": row.period.isoformat(), "is_alarming": row.is_alarming}))
            continue
        changed = "first" if row.distance is None else f"{row.distance:.2f} ({row.moved})"
        print(f"{row.period} {row.host}: {row.pages:,} pages, {row.blocks:,} blocks, changed {changed}")
    if args.format == "text":
        hosts = len({row.host for row in all_rows})
        alarming = len({row.host for row in all_rows if row.is_alarming})
        print(f"{alarming:,} of {hosts:,} hosts had a {args.by} in which at least {ALARM:.0%} of the labels changed")
    return 0
