"""featurize: `pages` in, `features` out, in two steps.

A pass over pages, which all jobs share, computes the features that need no other page. The site view needs the blocks
of all pages (`site_blocks`) and is added afterwards, from the hashes of the blocks alone. Between the two steps the
rows are in the internal table `features_without_site`: a run that is killed there loses nothing.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from jobs.divide import STEP as DIVIDE
from jobs.engine.columns import columns_of, struct_lists
from jobs.engine.interface import Engine
from jobs.engine.page import Finished, Rows, StoredPage
from jobs.engine.spark_tables import absolute_uri
from parcels.features import site
from parcels.features.page_features import Floats
from parcels.features.registry import VIEWS as FEATURES
from parcels.features.site import SiteBlocks, block_keys, repetition
from parcels.learn.pool import pool_hash, pool_partition
from parcels.store import Store, open_store
from parcels.urls import block_id

STEP = "featurize"
WITHOUT_SITE = "features_without_site"
VIEWS = {"stylistic": "style", "lexical": "lexical", "context": "context"}  # of the table: of the core
SIGNED = 1 << 63  # Spark has no unsigned numbers
BATCH_ROWS = 4096
TERMS = pa.list_(pa.struct({"term": pa.string(), "count": pa.int32()}))


@cache
def feature_list() -> str:
    """Return a hash of all features and their versions. Rows with different hashes must not be mixed in training."""
    names = [f"{view}.{of}".removesuffix("@1") for view, own in VIEWS.items() for of in FEATURES[own]]
    return hashlib.sha256("\n".join([*names, *site.NAMES]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Featurize:
    """The step that computes the features of a page's blocks that need no other page."""

    name: str = STEP
    step: str = STEP

    @property
    def finished(self) -> Finished:
        """Pages with features of this version, and rejected pages."""
        return Finished(("features", WITHOUT_SITE), {"feature_list": feature_list()}, (DIVIDE, STEP))

    def opened(self, store: Store, crawl: str) -> "Featurize":
        """Return the step itself: it has no model."""
        return self

    def rows(self, page: StoredPage) -> Iterator[tuple[str, Rows]]:
        """Yield the features of a page's blocks."""
        page.require_blocks()
        measured = page.features
        count = len(measured)
        ids = [block_id(page.page_id, n, page.divider_name) for n in range(count)]
        hashes = [pool_hash(one) for one in ids]
        terms = list(chain.from_iterable(sorted(row.items()) for row in measured.terms))
        yield (
            WITHOUT_SITE,
            pa.table(
                {
                    "block_id": ids,
                    "page_id": [page.page_id] * count,
                    "host": pa.array([page.host] * count, pa.string()),
                    "n": pa.array(range(count), pa.int32()),
                    "feature_list": [feature_list()] * count,
                    **{view: vectors(measured.numbers[own]) for view, own in VIEWS.items()},
                    "terms": struct_lists(TERMS, list(map(len, measured.terms)), *columns_of(terms)),
                    "block_hash": pa.array([signed(key) for key in block_keys(measured.look)], pa.int64()),
                    "pool_hash": pa.array(hashes, pa.int64()),
                    "pool_partition": pa.array([pool_partition(one) for one in hashes], pa.int32()),
                }
            ),
        )


def add_site_features(engine: Engine, store: Store, crawl: str) -> None:
    """Add the site view to the features of the pages of a crawl, and move them into `features`."""
    files = store.files(WITHOUT_SITE, crawl=crawl)
    if files:
        engine.for_each([file.path for file in files], AddSiteFeatures(absolute_uri(store), crawl))


@dataclass(frozen=True)
class AddSiteFeatures:
    """The function that moves a file of `features_without_site` to `features`.

    The new file is named after the old one, so that a repeated call replaces its file.
    """

    store: str
    crawl: str

    def __call__(self, path: str) -> None:
        """Move the rows of one file."""
        store = open_store(self.store)
        filesystem = store.location.filesystem
        if filesystem.get_file_info(path).type != fs.FileType.File:  # an earlier attempt at this task moved it
            return
        sites = KnownSites(store, self.crawl)
        commit = path.rpartition("/")[2].removesuffix(".parquet").partition("-")[2].partition("-")[2]
        with (
            store.writer("features", crawl=self.crawl, commit_id=commit) as writer,
            filesystem.open_input_file(path) as stream,
        ):
            for rows in whole_pages(pq.ParquetFile(stream).iter_batches(BATCH_ROWS)):
                writer.add(with_site(rows.filter(pc.field("feature_list") == feature_list()), sites))
        filesystem.delete_file(path)


def whole_pages(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield tables with complete pages from batches in which the rows of a page are neighbours.

    >>> batches = pa.table({"page_id": ["a", "a", "b", "c", "c"]}).to_batches(max_chunksize=2)
    >>> [table["page_id"].to_pylist() for table in whole_pages(batches)]
    [['a', 'a', 'b'], ['c', 'c']]
    """
    rest: pa.Table | None = None
    for batch in batches:
        table = pa.Table.from_batches([batch])
        rest = table if rest is None else pa.concat_tables([rest, table])
        last = pc.index(rest["page_id"], rest["page_id"][-1]).as_py()
        if last:
            yield rest.slice(0, last)
            rest = rest.slice(last)
    if rest is not None and len(rest):
        yield rest


def with_site(rows: pa.Table, sites: "KnownSites") -> pa.Table:
    """Return rows of `features` from rows of `features_without_site`."""
    sites.read({host for host in pc.unique(rows["host"]).to_pylist() if host})
    pages, hosts = rows["page_id"].to_pylist(), rows["host"].to_pylist()
    keys = [key + SIGNED for key in rows["block_hash"].to_pylist()]
    vectors_of_pages = [np.zeros((0, len(site.NAMES)), np.float32)]
    first = 0
    for end in range(1, len(pages) + 1):
        if end == len(pages) or pages[end] != pages[first]:
            own = keys[first:end]
            vectors_of_pages.append(repetition(own, sites.around(hosts[first], own)))
            first = end
    return rows.drop_columns(["host"]).append_column("site", vectors(np.concatenate(vectors_of_pages)))


class KnownSites:
    """The rows of `site_blocks` of some hosts."""

    def __init__(self, store: Store, crawl: str):
        self._store, self._crawl = store, crawl
        self._hosts: dict[str, SiteBlocks] = {}

    def read(self, hosts: set[str]) -> None:
        """Read the rows of these hosts. The table is sorted by host, so few other rows are read."""
        missing = hosts - self._hosts.keys()
        if not missing:
            return
        self._hosts = {host: known for host, known in self._hosts.items() if host in hosts}
        columns = ["host", "block_hash", "page_count", "host_page_count"]
        where = pc.field("host").isin(sorted(missing))
        missing_sites: dict[str, SiteBlocks] = {host: SiteBlocks() for host in missing}
        for batch in self._store.batches("site_blocks", columns=columns, filter=where, crawl=self._crawl):
            for host, key, count, pages in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                if not missing_sites[host].pages:
                    missing_sites[host] = SiteBlocks(pages)
                missing_sites[host].counts[key] = count
        self._hosts |= missing_sites

    def around(self, host: str | None, keys: Iterable[int]) -> SiteBlocks:
        """Return on how many other pages of the host these blocks occur."""
        known = self._hosts.get(host or "", SiteBlocks())
        shared = {key: known.counts[signed(key)] - 1 for key in keys if signed(key) in known.counts}
        return SiteBlocks(max(known.pages - 1, 0), shared)


def signed(key: int) -> int:
    """Return a key of 64 bits as Spark can store it."""
    return key - SIGNED


def vectors(rows: Floats) -> pa.ListArray:
    """Return the rows of a matrix as a column of lists.

    >>> vectors(np.array([[1.0, 2.0], [3.0, 4.0]])).to_pylist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    height, width = rows.shape
    offsets = pa.array(np.arange(0, (height + 1) * width, width, dtype=np.int32) if width else [0] * (height + 1))
    return pa.ListArray.from_arrays(offsets.cast(pa.int32()), pa.array(np.ascontiguousarray(rows, np.float32).ravel()))
