"""featurize: `pages` in, `features` out; what repeats on a site is known from `site_blocks`."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jobs.divide import STEP as DIVIDE
from jobs.engine.page import Finished, PageWork, Rows
from parcels.features import site
from parcels.features.look import Floats
from parcels.features.registry import VIEWS as FEATURES
from parcels.features.site import SiteBlocks, block_keys, site_view
from parcels.learn.pool import pool_hash, pool_partition
from parcels.store import Store
from parcels.urls import block_id

STEP = "featurize"
VIEWS = {"stylistic": "style", "lexical": "lexical", "context": "context"}  # of the table: of the core
SIGNED = 1 << 63  # Spark knows no unsigned numbers
TERMS = pa.struct({"term": pa.string(), "count": pa.int32()})


@cache
def feature_list() -> str:
    """Return a hash of all features and their versions: rows with another one cannot be learned from together."""
    names = [f"{view}.{of}".removesuffix("@1") for view, own in VIEWS.items() for of in FEATURES[own]]
    return hashlib.sha256("\n".join([*names, *site.NAMES]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Featurize:
    """Measures the views of pages' blocks."""

    name: str = STEP
    step: str = STEP

    @property
    def finished(self) -> Finished:
        """Pages with features as this code makes them, and pages that were left out."""
        return Finished("features", {"feature_list": feature_list()}, (DIVIDE, STEP))

    def opened(self, store: Store, crawl: str) -> "OpenFeaturize":
        """With what is known of sites."""
        return OpenFeaturize(KnownSites(store, crawl))


class KnownSites:
    """What `site_blocks` says of the hosts of some pages."""

    def __init__(self, store: Store, crawl: str):
        self._store, self._crawl = store, crawl
        self._hosts: dict[str, SiteBlocks] = {}

    def read(self, hosts: set[str]) -> None:
        """Have these hosts at hand. The table is sorted by host, so little more than they is read."""
        missing = hosts - self._hosts.keys()
        if not missing:
            return
        self._hosts = {host: known for host, known in self._hosts.items() if host in hosts}
        columns = ["host", "block_hash", "page_count", "host_page_count"]
        where = pc.field("host").isin(sorted(missing))
        found: dict[str, SiteBlocks] = {host: SiteBlocks() for host in missing}
        for batch in self._store.batches("site_blocks", columns=columns, filter=where, crawl=self._crawl):
            for host, key, count, pages in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                if not found[host].pages:
                    found[host] = SiteBlocks(pages)
                found[host].counts[key] = count
        self._hosts |= found

    def around(self, host: str | None, keys: Iterable[int]) -> SiteBlocks:
        """What the other pages of the host have of these blocks."""
        known = self._hosts.get(host or "", SiteBlocks())
        shared = {key: known.counts[signed(key)] - 1 for key in keys if signed(key) in known.counts}
        return SiteBlocks(max(known.pages - 1, 0), shared)


def signed(key: int) -> int:
    """A key of 64 bits as Spark can hold it."""
    return key - SIGNED


@dataclass(frozen=True)
class OpenFeaturize:
    """The step in an executor."""

    sites: KnownSites

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """Read what is known of the pages' hosts."""
        self.sites.read({page["host"] for page in pages if page["host"]})

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """The features of a page's blocks."""
        measured = work.measured
        keys = block_keys(measured.look)
        numbers = {view: measured.numbers[own] for view, own in VIEWS.items()}
        numbers["site"] = site_view(measured.look, self.sites.around(work.row["host"], keys))
        count = len(measured)
        ids = [block_id(work.page_id, n, work.divider_name) for n in range(count)]
        hashes = [pool_hash(one) for one in ids]
        terms = [[{"term": term, "count": times} for term, times in sorted(row.items())] for row in measured.terms]
        yield (
            "features",
            pa.table(
                {
                    "block_id": ids,
                    "page_id": [work.page_id] * count,
                    "n": pa.array(range(count), pa.int32()),
                    "feature_list": [feature_list()] * count,
                    **{view: vectors(rows) for view, rows in numbers.items()},
                    "terms": pa.array(terms, pa.list_(TERMS)),
                    "block_hash": pa.array([signed(key) for key in keys], pa.int64()),
                    "pool_hash": pa.array(hashes, pa.int64()),
                    "pool_partition": pa.array([pool_partition(one) for one in hashes], pa.int32()),
                }
            ),
        )


def vectors(rows: Floats) -> pa.ListArray:
    """A row a block as a column of lists.

    >>> vectors(np.array([[1.0, 2.0], [3.0, 4.0]])).to_pylist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    height, width = rows.shape
    offsets = pa.array(np.arange(0, (height + 1) * width, width, dtype=np.int32) if width else [0] * (height + 1))
    return pa.ListArray.from_arrays(offsets.cast(pa.int32()), pa.array(np.ascontiguousarray(rows, np.float32).ravel()))
