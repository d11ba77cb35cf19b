"""Means over groups of rows: those of a page's blocks that belong together."""

import numpy as np
import numpy.typing as npt

from parcels.learn.network import mean_rows

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Groups:
    """The rows of each group: `order[starts[g]:starts[g + 1]]` are those of group g, and row r is of group `place[r]`.

    >>> groups = Groups(np.array([7, 3, 7]))
    >>> groups.each(np.array([[1], [5], [2]], np.float32)).tolist(), groups.place.tolist(), groups.sizes.tolist()
    ([[5.0], [1.5]], [1, 0, 1], [[1.0], [2.0]])
    """

    def __init__(self, group: Ints):
        self.order = np.argsort(group, kind="stable")
        ordered = group[self.order]
        is_first = np.ones(len(group), bool)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        self.starts = np.flatnonzero(is_first)
        self.place = np.empty(len(group), np.int64)
        self.place[self.order] = np.cumsum(is_first) - 1

    @property
    def sizes(self) -> Floats:
        """How many rows each group has, as a column."""
        return np.diff(self.starts, append=len(self.order)).astype(np.float32)[:, None]

    def each(self, rows: Floats) -> Floats:
        """Return the mean of each group's rows."""
        found = np.empty((len(self.starts), rows.shape[1]), np.float32)
        mean_rows(rows, self.order, self.starts, found)
        return found
