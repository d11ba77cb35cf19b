"""The pool of unlabelled rows, ordered by a hash, and the share of it that a round reads.

The share of a round is a range of hashes. So a cluster reads only that share, and all machines agree on it without
counting; u is the expected size of a share.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import xxhash

from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labelled, Labels
from parcels.learn.select import Selection, Selector
from parcels.learn.words import Ints

HASHES = 2**64
LOWEST = -(2**63)
PARTITIONS = 1024
Hashes = npt.NDArray[np.int64]


def pool_hash(block_id: str) -> int:
    """Return the signed 64-bit hash of a block id.

    >>> pool_hash("page-1:7:fine@1")
    -6146023199989131174
    """
    return xxhash.xxh64_intdigest(block_id.encode()) + LOWEST


def pool_partition(block_hash: int) -> int:
    """Return the partition of a hash, from 0 to 1023: its top bits.

    >>> pool_partition(LOWEST), pool_partition(-1), pool_partition(2**63 - 1)
    (0, 511, 1023)
    """
    return (block_hash - LOWEST) * PARTITIONS // HASHES


class Pool(Protocol):
    """The unlabelled rows of a training. Where they are is a matter of the implementation."""

    def fingerprint(self, labelled: Labelled) -> str:
        """Return a hash of the labelled rows and the pool. Raise ConfigError if they do not fit together."""

    def draw(self, draw: "Draw", number: int, added: Sequence[str | int], *, u: int, seed: int) -> Any:
        """Return the share that round `number` reads, or None if the pool is exhausted. `added` are labelled rows."""

    def select(self, share: Any, selector: Selector) -> Selection:
        """Score the rows of a share and select from them."""

    def features(self, ids: Labels) -> tuple[Features, ...]:
        """Return the features of selected rows, by view."""


@dataclass(frozen=True, eq=False)
class ArrayPool:
    """A pool in memory: the features of each view, and one id and hash per row."""

    ids: Labels
    hashes: Hashes
    views: tuple[Features, ...]

    @classmethod
    def of(cls, ids: Sequence[str] | Labels, views: Sequence[Features]) -> "ArrayPool":
        """Make a pool, with hashes of the ids."""
        names = np.asarray(ids)
        if len(np.unique(names)) != len(names) or any(len(view) != len(names) for view in views):
            raise ConfigError(
                f"a pool needs different ids and one row per id in every view, got {len(names)} ids "
                f"({len(np.unique(names))} different) and views of {', '.join(str(len(view)) for view in views)} rows"
            )
        return cls(names, np.array([pool_hash(str(name)) for name in names.tolist()], np.int64), tuple(views))

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _places(self) -> dict[str | int, int]:
        return {name: place for place, name in enumerate(self.ids.tolist())}

    def rows(self, ids: Sequence[str | int]) -> Ints:
        """Return the row numbers of ids."""
        return np.array([self._places[name] for name in ids], np.int64)

    def fingerprint(self, labelled: Labelled) -> str:
        """Return a hash of the labelled rows and the pool. Raise ConfigError if they do not fit together."""
        if len(self.views) != len(labelled.views):
            raise ConfigError(f"the labelled rows have {len(labelled.views)} views and the pool {len(self.views)}")
        if (common := np.intersect1d(labelled.ids, self.ids)).size:
            raise ConfigError(
                f"{common.size} labelled rows are in the pool too (first: {common[0]}): remove them from the pool"
            )
        names = [*labelled.ids.tolist(), *labelled.y.tolist(), *self.ids.tolist()]
        return hashlib.sha256("\n".join(map(str, names)).encode()).hexdigest()

    def draw(self, draw: "Draw", number: int, added: Sequence[str | int], *, u: int, seed: int) -> Ints | None:
        """Return the rows that round `number` reads, or None if the pool is exhausted. `added` are labelled rows."""
        is_added = np.zeros(len(self), bool)
        is_added[self.rows(added)] = True
        return draw.rows(number, self, is_added, u=u, seed=seed)

    def select(self, share: Ints, selector: Selector) -> Selection:
        """Score some rows and select from them."""
        return selector.select(self.ids[share], [view.take(share) for view in self.views])

    def features(self, ids: Labels) -> tuple[Features, ...]:
        """Return the features of rows, by view."""
        rows = self.rows(ids.tolist())
        return tuple(view.take(rows) for view in self.views)


class Draw(Protocol):
    """The choice of the pool's rows that a round reads."""

    def rows(self, number: int, pool: ArrayPool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
        """Return the rows of round `number` (from 1), or None if the pool is exhausted."""


@dataclass(frozen=True)
class FreshShare:
    """A new share per round: round r reads its own range of hashes (Lee, Kan and Lai 2004, section 6)."""

    def rows(self, number: int, pool: ArrayPool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
        """Return the rows whose hash is in the round's range."""
        ranges = hash_ranges(number, len(pool), u=u, seed=seed)
        return np.flatnonzero(in_ranges(pool.hashes, ranges) & ~is_added) if ranges else None


@dataclass(frozen=True)
class Replenished:
    """Labelled rows are replaced by as many new ones (Blum and Mitchell 1998). It sorts the pool: for one machine."""

    def rows(self, number: int, pool: ArrayPool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
        """Return the first u rows in the order of the hashes that are not labelled yet."""
        turned = pool.hashes.view(np.uint64) + np.uint64(_turn(seed))
        order = np.lexsort((pool.ids, turned))
        left: Ints = order[~is_added[order]][:u]
        return np.sort(left) if len(left) else None


def hash_ranges(number: int, pool_count: int, *, u: int, seed: int) -> list[tuple[int, int]]:
    """Return the ranges of hashes (both ends included) that round `number` reads; none once the pool is exhausted.

    The seed rotates the circle of hashes. A range that wraps around is returned as two.

    >>> sum(high - low + 1 for r in (1, 2, 3) for low, high in hash_ranges(r, 250, u=100, seed=7)) == 2**64
    True
    >>> hash_ranges(4, 250, u=100, seed=7)
    []
    """
    if u < 1 or number < 1:
        raise ConfigError(f"the round and u must be at least 1, got round {number} and u {u}")
    if not pool_count or (number - 1) * u >= pool_count:
        return []
    begin = (number - 1) * u * HASHES // pool_count
    length = min(number * u * HASHES // pool_count, HASHES) - begin
    low = (begin + _turn(seed)) % HASHES
    parts = [(low, min(low + length, HASHES)), (0, low + length - HASHES)]
    return [(first + LOWEST, end - 1 + LOWEST) for first, end in parts if end > first]


def in_ranges(hashes: Hashes, ranges: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Return for each hash whether it is in one of the ranges.

    >>> in_ranges(np.array([1, 4, 7]), [(0, 3), (7, 9)]).tolist()
    [True, False, True]
    """
    is_in: npt.NDArray[np.bool_] = np.logical_or.reduce([(hashes >= low) & (hashes <= high) for low, high in ranges])
    return is_in


def partitions(ranges: list[tuple[int, int]]) -> list[int]:
    """Return the partitions of the pool that ranges of hashes touch."""
    return sorted({n for low, high in ranges for n in range(pool_partition(low), pool_partition(high) + 1)})


def _turn(seed: int) -> int:
    return xxhash.xxh64_intdigest(str(seed).encode())
