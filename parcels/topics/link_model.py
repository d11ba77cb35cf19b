"""The chance that a link leads to the topic, and that it leads to a hub: two logistic models that learn online.

Both read dense numbers, what came of the link's siblings, and hashed marks. They begin with weights that work without
any training (words of the topic speak for it), or with those learned from a labelled graph, and learn from every page
that is fetched, whatever it turned out to be (AdaGrad, so that rare marks learn fast and frequent ones settle).
"""

import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.errors import ModelMismatch
from parcels.learn.stored import BROKEN, Reader, packed, unpacked
from parcels.learn.words import Floats
from parcels.topics.link_rows import BUCKETS, DENSE, LinkRow, stacked

HEADS = ("topic", "hub")
SIBLINGS = ("group_siblings", "page_siblings", "folder_siblings")
INPUTS = (*DENSE, *SIBLINGS, "bias")
RATE = 0.1
SHRINK = 1e-5  # of marks a step: what is not seen again is forgotten slowly
FIRST = np.array([
    # anchor address heading around source density group  page  folder bias
    [0.35, 0.15, 0.20, 0.10, 0.15, 0.30, 0.40, 0.30, 0.60, -2.0],
    [0.10, 0.05, 0.15, 0.05, 0.10, 0.20, 0.10, 0.10, 0.10, -2.0],
])  # fmt: skip


@dataclass
class LinkModel:
    """Weights of both heads, a row each."""

    inputs: Floats = field(default_factory=lambda: FIRST.copy())
    marks: Floats = field(default_factory=lambda: np.zeros((len(HEADS), BUCKETS)))
    input_squares: Floats = field(default_factory=lambda: np.ones((len(HEADS), len(INPUTS))))
    mark_squares: Floats = field(default_factory=lambda: np.ones((len(HEADS), BUCKETS)))

    def chances(self, rows: Sequence[LinkRow], siblings: Floats) -> Floats:
        """A row a link: that it leads to the topic, that it leads to a hub."""
        return 1 / (1 + np.exp(-self.log_odds(rows, siblings)))

    def log_odds(self, rows: Sequence[LinkRow], siblings: Floats) -> Floats:
        """The same as logarithms of odds."""
        if not rows:
            return np.zeros((0, len(HEADS)))
        dense, marks, starts = stacked(rows)
        sums = np.concatenate([np.zeros((len(HEADS), 1)), np.cumsum(self.marks[:, marks], axis=1)], axis=1)
        of_marks = (sums[:, starts[1:]] - sums[:, starts[:-1]]).T
        found: Floats = self._full(dense, siblings) @ self.inputs.T + of_marks
        return found.clip(-30, 30)

    @staticmethod
    def _full(dense: Floats, siblings: Floats) -> Floats:
        return np.concatenate([dense, siblings, np.ones((len(dense), 1))], axis=1)

    def learn(self, row: LinkRow, siblings: Floats, outcome: Sequence[float], *, rate: float = RATE) -> None:
        """Take in what a link led to: a chance a head."""
        full = self._full(np.array([row.dense]), siblings.reshape(1, -1))[0]
        marks = row.marks
        odds = (self.inputs @ full + self.marks[:, marks].sum(axis=1)).clip(-30, 30)
        slope = 1 / (1 + np.exp(-odds)) - np.asarray(outcome)
        of_inputs = slope[:, None] * full
        self.input_squares += of_inputs**2
        self.inputs -= rate * of_inputs / np.sqrt(self.input_squares)
        self.mark_squares[:, marks] += (slope**2)[:, None]
        step = slope[:, None] + SHRINK * self.marks[:, marks]
        self.marks[:, marks] -= rate * step / np.sqrt(self.mark_squares[:, marks])

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The weights as a file keeps them: marks that were never seen are left out."""
        seen = np.flatnonzero((self.mark_squares != 1).any(axis=0)).astype(np.int32)
        return {
            "inputs": self.inputs, "input_squares": self.input_squares, "seen": seen,
            "marks": self.marks[:, seen].astype(np.float32),
            "mark_squares": self.mark_squares[:, seen].astype(np.float32),
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, arrays: Reader) -> "LinkModel":
        """The model again; what does not fit is refused."""
        shape = (len(HEADS), len(INPUTS))
        new = cls(
            arrays.take("inputs", np.float64, shape).copy(),
            input_squares=arrays.take("input_squares", np.float64, shape, low=0.5).copy(),
        )
        seen = arrays.take("seen", np.int32, (None,), low=0, high=BUCKETS - 1)
        new.marks[:, seen] = arrays.take("marks", np.float32, (len(HEADS), len(seen)))
        new.mark_squares[:, seen] = arrays.take("mark_squares", np.float32, (len(HEADS), len(seen)), low=0.5)
        return new

    def to_bytes(self) -> bytes:
        """The same as one piece."""
        return packed(self.to_arrays())

    @classmethod
    def from_bytes(cls, data: bytes) -> "LinkModel":
        """What `to_bytes` gave."""
        try:
            return cls.from_arrays(Reader(unpacked(data)))
        except (zipfile.BadZipFile, zlib.error, *BROKEN) as error:
            raise ModelMismatch(f"the weights of links cannot be read: {error}") from error
