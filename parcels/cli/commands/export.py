"""`parcels export`: labels by people in other formats."""

import argparse

from parcels.common.output import output

HELP = (
    "Export labels by people: of each annotator, voted, as tasks for Label Studio, or the agreement between annotators."
)
EXAMPLE = """
parcels export annotations --store STORE --out labels.jsonl
parcels export votes --store STORE --crawl news > votes.jsonl
parcels export label-studio --store STORE --out tasks.json
parcels export agreement --store STORE
"""
WHAT = ("annotations", "votes", "label-studio", "label-studio-config", "agreement")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "what", choices=WHAT, metavar="WHAT", help="what to export; `parcels import annotations` reads the first three"
    )
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--crawl", metavar="NAME", help="only this crawl (default: all)")
    parser.add_argument("--out", metavar="FILE", help="write to FILE instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write the export."""
    from parcels.annotate.exchange import export
    from parcels.store import open_store

    store = open_store(args.store)
    with output(args.out) as out:
        for part in export(store, args.what, args.crawl):
            out.write(part)
    return 0
