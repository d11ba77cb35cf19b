"""Pages and keys already in a store, in 16 bytes per page: ten million pages need 160 MB."""

from collections.abc import Iterator
from enum import Enum

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from parcels.store import Store

FRESH = 1_000_000  # pages of this run in a dictionary before they move into the arrays


class PageStatus(Enum):
    """Whether a page is new."""

    NEW = "new"
    SAME = "same"  # this page with these bytes
    OTHER = "other"  # this page with other bytes


class KnownPages:
    """The pages of a crawl, by the first 64 bits of their ids and content hashes.

    The odds that any two of ten million pages share 64 bits are 1 in 370,000; the second would be a reject.
    """

    def __init__(self, store: Store, crawl: str):
        pairs = [
            (_numbers(batch.column(0)), _numbers(batch.column(1)))
            for batch in store.batches("pages", columns=["page_id", "content_hash"], crawl=crawl)
        ]
        empty = np.zeros(0, np.uint64)
        self._ids = np.concatenate([empty, *(ids for ids, _ in pairs)])
        self._contents = np.concatenate([empty, *(contents for _, contents in pairs)])
        self._fresh: dict[int, int] = {}
        self._sort()

    def see(self, page_id: str, content_hash: str) -> PageStatus:
        """Return whether a page is known, and remember it."""
        number, content = int(page_id[:16], 16), int(content_hash[:16], 16)
        had = self._fresh.get(number)
        if had is None:
            at = int(np.searchsorted(self._ids, np.uint64(number)))
            if at < len(self._ids) and int(self._ids[at]) == number:
                had = int(self._contents[at])
        if had is not None:
            return PageStatus.SAME if had == content else PageStatus.OTHER
        self._fresh[number] = content
        if len(self._fresh) >= FRESH:
            self._ids = np.concatenate([self._ids, np.fromiter(self._fresh.keys(), np.uint64)])
            self._contents = np.concatenate([self._contents, np.fromiter(self._fresh.values(), np.uint64)])
            self._fresh = {}
            self._sort()
        return PageStatus.NEW

    def _sort(self) -> None:
        order = np.argsort(self._ids, kind="stable")
        self._ids, self._contents = self._ids[order], self._contents[order]


def _numbers(ids: pa.Array) -> NDArray[np.uint64]:
    """Return the first 64 bits of each id of 32 hex digits."""
    return np.frombuffer(bytes.fromhex("".join(ids.to_pylist())), ">u8")[::2].astype(np.uint64)


class KnownKeys:
    """Keys of any kind, by their 64-bit hashes."""

    def __init__(self, keys: Iterator[tuple[str, ...]]):
        self._known = {_hash(key) for key in keys}

    def is_new(self, *key: str) -> bool:
        """Return whether a key is new, and remember it."""
        number = _hash(key)
        if number in self._known:
            return False
        self._known.add(number)
        return True


def _hash(key: tuple[str, ...]) -> int:
    return xxhash.xxh3_64_intdigest("\0".join(key).encode("utf-8", "surrogatepass"))


def keys_of(store: Store, table: str, crawl: str, *columns: str) -> Iterator[tuple[str, ...]]:
    """Yield the values of the given columns, row by row."""
    for batch in store.batches(table, columns=columns, crawl=crawl):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
