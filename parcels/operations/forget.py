"""Forget addresses or hosts: no row of any table speaks of them any more.

Tables that follow from pages come first and `pages` last, so that a run that was killed finds again what was left to
do. What holds no address and no text (document frequencies, the ids in `rounds`) stays; the row of the run that forgot
says how many there were, not which.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from parcels.importing.run import ImportRun
from parcels.operations.rewriting import check_can_rewrite, columns_of, rewrite
from parcels.operations.targets import BY_ADDRESS, BY_HOST, BY_PAGE, Targets
from parcels.store import Store
from parcels.tables import TABLES

STEP = "forget"
KEYS = tuple(dict.fromkeys((*BY_HOST, *BY_ADDRESS, *BY_PAGE)))
SHARED_TABLES = ("document_frequencies", "rounds", "runs")  # no text of a page, no address of one
BESIDE = {  # folders of a store that are no tables, and what of a page is in them
    "_warc": "WARC files hold whole answers: delete those that have the pages, and crawl again what else was in them",
    "_cotrain": "training pools hold features of blocks: delete the folder of a training to begin it anew",
    "_models": "models hold words that many pages share; retrain where that is too much",
    "_annotate": "labels that were not sealed: run parcels annotate once, then forget again",
}


class Beside(NamedTuple):
    """Something of a store that `forget` does not change."""

    folder: str
    files: int
    advice: str


def forget(store: Store, targets: Targets, *, dry_run: bool = False) -> Counter[str]:
    """Take the targets out of every table; returns how many rows of each went, or would go."""
    check_can_rewrite(store)
    pages = page_ids(store, targets)
    gone: dict[str, Counter[str]] = {}  # by crawl
    for table in sorted(TABLES, key=lambda name: name == "pages"):
        if table not in SHARED_TABLES:
            for crawl, count in _forget_in(store, table, targets, pages, dry_run):
                gone.setdefault(crawl, Counter())[table] += count
    if not dry_run:
        for crawl, counts in gone.items():
            asked = {"addresses": len(targets.urls), "hosts": len(targets.hosts)}
            with ImportRun(store, step=STEP, crawl=crawl, settings=asked) as run:
                run.counts.update(counts)
    return sum(gone.values(), Counter())


def page_ids(store: Store, targets: Targets) -> pa.Array:
    """The pages of the targets."""
    found = [pa.array([], pa.string())]
    none = pa.array([], pa.string())
    for batch in store.batches("pages", columns=["page_id", "url", "final_url", "host"]):
        rows = pa.Table.from_batches([batch])
        found += rows.filter(targets.mask(rows, none))["page_id"].chunks
    return pa.concat_arrays(found).unique()


def _forget_in(store: Store, table: str, targets: Targets, pages: pa.Array, dry_run: bool) -> Iterator[tuple[str, int]]:
    """Rows that went, by the crawl of their file."""

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
    """A page that stays does not name a forgotten one as where its link was found."""
    if "referrer" not in rows.column_names:
        return rows
    old = rows["referrer"].to_pylist()
    fresh = pa.array([None if targets.meets(url) else url for url in old], pa.string())
    return rows.set_column(rows.column_names.index("referrer"), rows.schema.field("referrer"), fresh)


def _without_links(rows: pa.Table, targets: Targets) -> pa.Table:
    """Lists of links inside a row lose those that lead to what is forgotten."""
    if "links" not in rows.column_names:
        return rows
    field = rows.schema.field("links")
    fresh = [
        None if links is None else [link for link in links if not targets.meets(link["target"])]
        for links in rows["links"].to_pylist()
    ]
    return rows.set_column(rows.column_names.index("links"), field, pa.array(fresh, field.type))


def beside(store: Store) -> list[Beside]:
    """What else of the store may hold something of the pages."""
    found = []
    for folder, advice in BESIDE.items():
        count = sum(1 for _ in store.place.files(folder))
        if count:
            found.append(Beside(folder, count, advice))
    return found


def as_json(gone: Counter[str], left: list[Beside]) -> str:
    """The answer for programs."""
    return json.dumps({"rows": dict(gone), "beside": [one._asdict() for one in left]})
