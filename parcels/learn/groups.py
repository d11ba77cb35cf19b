"""Means over groups of rows: those of a page's blocks that belong together."""

import numpy as np
import numpy.typing as npt

from parcels.compiled import loaded

loops = loaded("parcels.learn.net_loops")  # None where it is not compiled: the same by NumPy, slower

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Groups:
    """Means over groups of rows, and the same backwards."""

    def __init__(self, group: Ints):
        if loops is not None and _is_numbered(group):
            self.order, self.place = np.empty_like(group), np.empty_like(group)
            self.starts = np.empty(int(group.max()) + 1, np.int64)
            loops.grouped(group, self.order, self.starts, self.place)
            return
        self.order = np.argsort(group, kind="stable")
        ordered = group[self.order]
        self.starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(group) else group
        self.place = np.cumsum(np.append(0, ordered[1:] != ordered[:-1]))[np.argsort(self.order, kind="stable")]

    def each(self, rows: Floats) -> Floats:
        """The mean of each group."""
        if loops is not None and rows.dtype == np.float32:
            found = np.empty((len(self.starts), rows.shape[1]), np.float32)
            loops.group_means(np.ascontiguousarray(rows), self.order, self.starts, found)
            return found
        counts = np.diff(np.append(self.starts, len(rows))).astype(np.float32)[:, None]
        means: Floats = np.divide(np.add.reduceat(rows[self.order], self.starts, axis=0), counts)
        return means

    def mean(self, rows: Floats) -> Floats:
        """For each row the mean of its group. It is its own transpose, so that gradients go through it too."""
        return self.each(rows)[self.place] if len(rows) else rows


def _is_numbered(group: Ints) -> bool:
    """Are the groups numbered from 0 without gaps?"""
    if not len(group) or group.min() != 0 or group.max() >= len(group):
        return False
    return bool(np.bincount(group).all())
