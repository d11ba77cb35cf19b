"""`parcels compact`: merge small Parquet files, without Spark."""

import argparse

HELP = "Merge the small files of a store's tables. Run it while nobody reads the store: readers may see rows twice."
EXAMPLE = """
parcels compact --store STORE
parcels compact blocks labels --store STORE --small-mb 64
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="table to compact (default: all)")
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument(
        "--small-mb", type=float, default=32, metavar="N", help="merge files smaller than N MB (default 32)"
    )


def run(args: argparse.Namespace) -> None:
    """Compact tables and print the numbers of files."""
    from parcels.cli.commands.run import jobs
    from parcels.store import open_store
    from parcels.tables import TABLES

    store = open_store(args.store)
    for table in args.tables:
        store.declaration(table)  # raises for an unknown one before anything is done
    for table in args.tables or TABLES:
        before, after = jobs("compact").compact(store, table, small_bytes=int(args.small_mb * (1 << 20)))
        if before:
            print(f"{table}: {before:,} files, now {after:,}")
