"""`parcels export`: labels by people for other programs."""

import argparse

from parcels.common.output import output

HELP = "Write the labels that people gave: each person's, the vote, tasks for Label Studio, or how far people agree."
EXAMPLE = """
parcels export annotations --store STORE --out labels.jsonl
parcels export votes --store STORE --crawl news > votes.jsonl
parcels export label-studio --store STORE --out tasks.json
parcels export agreement --store STORE
"""
WHAT = ("annotations", "votes", "label-studio", "label-studio-config", "agreement")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("what", choices=WHAT, help="`parcels import annotations` reads the first three again")
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", metavar="NAME", help="only of this crawl (default: all)")
    parser.add_argument("--out", metavar="FILE", help="write there instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write the export."""
    from parcels.annotate.exchange import export
    from parcels.store import open_store

    store = open_store(args.store)
    with output(args.out) as out:
        for part in export(store, args.what, args.crawl):
            out.write(part)
    return 0
