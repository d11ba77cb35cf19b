"""`parcels report --store STORE --out report.html`: a report about a store as one HTML file."""

import argparse
import sys

from parcels.common.output import output

HELP = "Write a report about a store as one HTML file: labels, errors, co-training, the crawl, rejects."
EXAMPLE = """
parcels report --store STORE --out report.html
parcels report --store STORE --crawl news --model news --out news.html
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument(
        "--out", default="report.html", metavar="FILE", help="file to write (default report.html); -: standard output"
    )
    parser.add_argument("--crawl", metavar="NAME", help="only this crawl (default: all)")
    parser.add_argument(
        "--model", metavar="NAME", help="model of the labels (default: the current one, see parcels models)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report."""
    from parcels.report.report import report
    from parcels.store import open_store

    text = report(open_store(args.store), crawl=args.crawl, model=args.model)
    with output(None if args.out == "-" else args.out) as out:
        out.write(text.encode("utf-8", "replace"))
    if args.out != "-":
        print(f"parcels: Wrote {args.out} ({len(text):,} characters). Open it in a browser.", file=sys.stderr)
    return 0
