"""Index the rows of a replay by address: 64-bit hashes in a sorted array, 36 bytes per page."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import xxhash

from crawler.replay.files import File, RowGroups
from parcels.urls import canonical

_PLACE = np.dtype([("key", "u8"), ("rank", "i8"), ("file", "i4"), ("group", "i4"), ("row", "i4")])
_EMPTY_RANK, _ALIAS_RANK = -(1 << 61), -(1 << 62)  # below every real time


class Hit(NamedTuple):
    """A row, and the address that it was found under: the requested one, or one that differs a little."""

    row: Mapping[str, Any]
    url: str


class PageIndex:
    """An index of the pages and style sheets of some files. Of several visits the last one with a body counts."""

    def __init__(self, files: list[File]):
        self.left_out: Counter[str] = Counter()
        self._groups = RowGroups(files)
        parts = [
            self._places(number, group, table) for number, group, table in self._groups.addresses() if table.num_rows
        ]
        places = np.concatenate(parts) if parts else np.zeros(0, _PLACE)
        order = np.lexsort((-places["rank"], places["key"]))  # the best of each key first; the first of equals
        places = places[order]
        is_first = np.ones(len(places), bool)
        is_first[1:] = places["key"][1:] != places["key"][:-1]
        is_alias = places["rank"] < _EMPTY_RANK
        self.left_out["older visit or same address"] += int((~is_first & ~is_alias).sum())
        self._placed = places[is_first]
        self.page_count = int((is_first & ~is_alias).sum())
        self._keys = np.ascontiguousarray(self._placed["key"])

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, url: str) -> Hit | None:
        """Return the row of a canonical address."""
        key = np.uint64(_key(url))
        at = int(np.searchsorted(self._keys, key))
        if at == len(self._keys) or self._keys[at] != key:
            return None
        place = self._placed[at]
        row = self._groups.row(int(place["file"]), int(place["group"]), int(place["row"]))
        known = (canonical(str(row[name])) for name in ("url", "final_url") if row.get(name))
        return Hit(row, url) if url in known else None

    def _places(self, number: int, group: int, table: pa.Table) -> np.ndarray[Any, Any]:
        urls = [canonical(url) if url else None for url in table["url"].to_pylist()]
        self.left_out["no web address"] += urls.count(None)
        redirects = _redirects(table)
        ranks = _ranks(table, redirects)
        rows = [
            (_key(url), rank, number, group, n) for n, (url, rank) in enumerate(zip(urls, ranks, strict=True)) if url
        ]
        if "final_url" in table.column_names:
            finals = [canonical(url) if url else None for url in table["final_url"].to_pylist()]
            rows += [
                (_key(final), _ALIAS_RANK, number, group, n)
                for n, (url, final) in enumerate(zip(urls, finals, strict=True))
                if url and final and final != url and ranks[n] > _EMPTY_RANK and not redirects[n]
            ]
        return np.array(rows, _PLACE)


def _ranks(table: pa.Table, redirects: list[bool]) -> list[int]:
    """Return the microseconds of each visit; rows without a body (unchanged pages) rank last."""
    count = table.num_rows
    times = table["fetched_at"].to_pylist() if "fetched_at" in table.column_names else [None] * count
    sizes = table["byte_count"].to_pylist() if "byte_count" in table.column_names else [None] * count
    return [
        _micros(time) if size != 0 or is_redirect else _EMPTY_RANK
        for time, size, is_redirect in zip(times, sizes, redirects, strict=True)
    ]


def _micros(time: object) -> int:
    return int(time.timestamp() * 1_000_000) if isinstance(time, dt.datetime) else 0


def _redirects(table: pa.Table) -> list[bool]:
    """Return which rows are redirects."""
    if "status" not in table.column_names:
        return [False] * table.num_rows
    return [
        status is not None and 300 <= int(status) < 400 and int(status) != 304 for status in table["status"].to_pylist()
    ]


def _key(url: str) -> int:
    return xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
