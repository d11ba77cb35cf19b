"""`parcels migrate`: tables that an older version wrote, with the columns of this one."""

import argparse

HELP = "Bring the tables of a store to the columns of this version. Older files are read without it, too."
EXAMPLE = """
parcels migrate --store STORE --dry-run
parcels migrate --store STORE
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--store", required=True, help="folder or URI of the store")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(args: argparse.Namespace) -> int:
    """Migrate and say what was done."""
    from parcels.operations.migrate import migrate, outdated
    from parcels.store import open_store

    store = open_store(args.store)
    count = 0
    for one in outdated(store) if args.dry_run else migrate(store):
        count += 1
        verb = "would go" if args.dry_run else "went"
        print(f"{one.table}: {one.files:,} files {verb} from columns v{one.version} to v{one.wanted}")
    if not count:
        print("all files have the columns of this version")
    return 0
