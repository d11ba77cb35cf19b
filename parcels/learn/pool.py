"""The pool of unlabelled rows, ordered by a hash, and the share of it that a round reads.

The share of a round is a range of hashes. So a cluster reads only that share, and all machines agree on it without
counting; u is the expected size of a share.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import xxhash

from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labels
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


@dataclass(frozen=True, eq=False)
class Pool:
    """Unlabelled rows: the features of each view, and one id and hash per row."""

    ids: Labels
    hashes: Hashes
    views: tuple[Features, ...]

    @classmethod
    def of(cls, ids: Sequence[str] | Labels, views: Sequence[Features]) -> "Pool":
        """Make a pool, with hashes of the ids."""
        names = np.asarray(ids)
        if len(np.unique(names)) != len(names) or any(len(view) != len(names) for view in views):
            raise ConfigError(f"a pool of {len(names)} ids needs as many different ids, and as many rows in every view")
        return cls(names, np.array([pool_hash(str(name)) for name in names.tolist()], np.int64), tuple(views))

    def __len__(self) -> int:
        return len(self.ids)


class Draw(Protocol):
    """The choice of the pool's rows that a round reads."""

    def rows(self, number: int, pool: Pool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
        """Return the rows of round `number` (from 1), or None if the pool is exhausted."""


@dataclass(frozen=True)
class FreshShare:
    """A new share per round: round r reads its own range of hashes (Lee, Kan and Lai 2004, section 6)."""

    def rows(self, number: int, pool: Pool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
        """Return the rows whose hash is in the round's range."""
        ranges = hash_ranges(number, len(pool), u=u, seed=seed)
        if not ranges:
            return None
        is_here = np.zeros(len(pool), bool)
        for low, high in ranges:
            is_here |= (pool.hashes >= low) & (pool.hashes <= high)
        return np.flatnonzero(is_here & ~is_added)


@dataclass(frozen=True)
class Replenished:
    """Labelled rows are replaced by as many new ones (Blum and Mitchell 1998). It sorts the pool: for one machine."""

    def rows(self, number: int, pool: Pool, is_added: npt.NDArray[np.bool_], *, u: int, seed: int) -> Ints | None:
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


def partitions(ranges: list[tuple[int, int]]) -> list[int]:
    """Return the partitions of the pool that ranges of hashes touch."""
    return sorted({n for low, high in ranges for n in range(pool_partition(low), pool_partition(high) + 1)})


def _turn(seed: int) -> int:
    return xxhash.xxh64_intdigest(str(seed).encode())
