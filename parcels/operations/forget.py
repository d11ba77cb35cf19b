"""Removal of addresses or hosts from every table of a store.

Tables derived from pages come first and `pages` last, so that a killed run can be repeated. Data without addresses and
texts (document frequencies, the ids in `rounds`) is kept. The row in `runs` has the number of targets, not their names.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from parcels.importing.run_record import RunRecord
from parcels.operations.rewriting import check_can_rewrite, columns_of, rewrite
from parcels.operations.targets import BY_ADDRESS, BY_HOST, BY_PAGE, Targets
from parcels.store import Store
from parcels.tables import INTERNAL, TABLES

STEP = "forget"
KEYS = tuple(dict.fromkeys((*BY_HOST, *BY_ADDRESS, *BY_PAGE)))
SHARED_TABLES = ("document_frequencies", "rounds", "runs")  # without texts and addresses of pages
OTHER_FOLDERS = {  # folders of a store that are not tables, with advice
    "_warc": "WARC files contain whole responses: delete the files with these pages, and crawl the other pages again",
    "_cotrain": "training pools contain features of blocks: delete the folder of a training and start it again",
    "_models": "models contain words that many pages share: retrain them if that is too much",
    "_annotate": "unsealed labels: start and stop parcels annotate once, then run parcels forget again",
}


class OtherFolder(NamedTuple):
    """A folder of the store that `forget` does not change."""

    folder: str
    files: int
    advice: str


def forget(store: Store, targets: Targets, *, dry_run: bool = False) -> Counter[str]:
    """Remove the targets from every table and return the number of removed rows per table."""
    check_can_rewrite(store)
    pages = page_ids(store, targets)
    removed: dict[str, Counter[str]] = {}  # by crawl
    for table in sorted([*TABLES, *INTERNAL], key=lambda name: name == "pages"):
        if table not in SHARED_TABLES:
            for crawl, count in _forget_in(store, table, targets, pages, dry_run):
                removed.setdefault(crawl, Counter())[table] += count
    if not dry_run:
        for crawl, counts in removed.items():
            settings_ = {"addresses": len(targets.urls), "hosts": len(targets.hosts)}
            with RunRecord(store, step=STEP, crawl=crawl, settings=settings_) as run:
                run.counts.update(counts)
    return sum(removed.values(), Counter())


def page_ids(store: Store, targets: Targets) -> pa.Array:
    """Return the ids of the targets' pages."""
    ids = [pa.array([], pa.string())]
    none = pa.array([], pa.string())
    for batch in store.batches("pages", columns=["page_id", "url", "final_url", "host"]):
        rows = pa.Table.from_batches([batch])
        ids += rows.filter(targets.mask(rows, none))["page_id"].chunks
    return pa.concat_arrays(ids).unique()


def _forget_in(store: Store, table: str, targets: Targets, pages: pa.Array, dry_run: bool) -> Iterator[tuple[str, int]]:
    """Yield the crawl and number of removed rows of each changed file of a table."""

    def without(rows: pa.Table) -> pa.Table:
        kept = rows.filter(pc.invert(targets.mask(rows, pages)))
        for clean in (_without_referrer, _without_links):
            kept = clean(kept, targets)
        return kept

    for file in store.files(table):
        keys = columns_of(store, file, (*KEYS, "referrer", "links"))
        count = pc.sum(targets.mask(keys, pages)).as_py() or 0
        is_named = without(keys) != keys
        if is_named and not dry_run:
            rewrite(store, table, file, without)
        if is_named:
            yield str(file.partition["crawl"]), count


def _without_referrer(rows: pa.Table, targets: Targets) -> pa.Table:
    """Return rows in which no page has a forgotten referrer."""
    if "referrer" not in rows.column_names:
        return rows
    old = rows["referrer"].to_pylist()
    fresh = pa.array([None if targets.contains(url) else url for url in old], pa.string())
    return rows.set_column(rows.column_names.index("referrer"), rows.schema.field("referrer"), fresh)


def _without_links(rows: pa.Table, targets: Targets) -> pa.Table:
    """Return rows in which no list of links has a forgotten target."""
    if "links" not in rows.column_names:
        return rows
    field = rows.schema.field("links")
    fresh = [
        None if links is None else [link for link in links if not targets.contains(link["target"])]
        for links in rows["links"].to_pylist()
    ]
    return rows.set_column(rows.column_names.index("links"), field, pa.array(fresh, field.type))


def other_folders(store: Store) -> list[OtherFolder]:
    """Return the other folders of the store that may contain data of the pages."""
    folders = []
    for folder, advice in OTHER_FOLDERS.items():
        count = sum(1 for _ in store.location.files(folder))
        if count:
            folders.append(OtherFolder(folder, count, advice))
    return folders


def as_json(removed: Counter[str], remaining: list[OtherFolder]) -> str:
    """Return the result as JSON."""
    return json.dumps({"rows": dict(removed), "beside": [folder._asdict() for folder in remaining]})
