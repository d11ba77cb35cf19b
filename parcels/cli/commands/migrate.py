"""`parcels migrate`: migrate tables of an older version to the current columns."""

import argparse

HELP = "Migrate the tables of a store to the columns of this version. Older files can also be read without it."
EXAMPLE = """
parcels migrate --store STORE --dry-run
parcels migrate --store STORE
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--dry-run", action="store_true", help="list the files without changing them")


def run(args: argparse.Namespace) -> int:
    """Migrate the tables and print a summary."""
    from parcels.operations.migrate import migrate, outdated
    from parcels.store import open_store

    store = open_store(args.store)
    count = 0
    for one in outdated(store) if args.dry_run else migrate(store):
        count += 1
        verb = "would be migrated" if args.dry_run else "migrated"
        print(f"{one.table}: {one.files:,} files {verb} from columns v{one.version} to v{one.wanted}")
    if not count:
        print("All files have the columns of this version.")
    return 0
