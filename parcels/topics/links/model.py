"""The chance that a link leads to the topic, and that it leads to a hub: two logistic models that learn online.

Both read dense numbers, what came of the link's siblings, and hashed marks. They begin with weights that work without
any training (words of the topic speak for it), or with those learned from a labelled graph, and learn from every page
that is fetched, whatever it turned out to be (AdaGrad, so that rare marks learn fast and frequent ones settle).
"""

import zipfile
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.errors import ModelMismatch
from parcels.learn.stored import BROKEN, Reader, packed, unpacked
from parcels.learn.words import Floats
from parcels.topics.links.heads import Head, chance_of, scored
from parcels.topics.links.rows import BUCKETS, DENSE, LinkRow
from parcels.topics.links.tallies import Tallies

HEADS = ("topic", "hub")
SIBLINGS = ("group_siblings", "page_siblings", "folder_siblings")
INPUTS = (*DENSE, *SIBLINGS, "bias")
RATE = 0.1
FIRST = np.array([
    # anchor address heading around source density group  page  folder bias
    [0.35, 0.15, 0.20, 0.10, 0.15, 0.30, 0.40, 0.30, 0.60, -2.0],
    [0.10, 0.05, 0.15, 0.05, 0.10, 0.20, 0.10, 0.10, 0.10, -2.0],
])  # fmt: skip


class LinkModel:
    """Both heads."""

    def __init__(self) -> None:
        self.topic, self.hub = Head(FIRST[0]), Head(FIRST[1])

    def scored(self, rows: Sequence[LinkRow], tallies: Tallies) -> list[tuple[float, float]]:
        """Of each link the chance that it leads to the topic, and that it leads to a hub."""
        return scored(self.topic, self.hub, rows, tallies)

    def chances(self, rows: Sequence[LinkRow], siblings: Floats) -> Floats:
        """The same as an array, with what came of each link's siblings given."""
        found = [
            [chance_of(head.log_odds(row.dense, tuple(came), row.marks)) for head in (self.topic, self.hub)]
            for row, came in zip(rows, siblings.tolist(), strict=True)
        ]
        return np.array(found).reshape(len(rows), len(HEADS))

    def learn(self, row: LinkRow, siblings: Sequence[float], outcome: Sequence[float], *, rate: float = RATE) -> None:
        """Take in what a link led to: a chance a head."""
        came = tuple(siblings)
        for head, chance in zip((self.topic, self.hub), outcome, strict=True):
            head.learn(row.dense, came, row.marks, chance, rate)

    def weights(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Weights and squares of the inputs, then of the marks; a row a head."""
        one, other = self.topic.weights(), self.hub.weights()
        inputs, input_squares, marks, mark_squares = (np.stack(pair) for pair in zip(one, other, strict=True))
        return inputs, input_squares, marks, mark_squares

    def restore(self, inputs: Floats, input_squares: Floats, marks: Floats, mark_squares: Floats) -> None:
        """Know these weights."""
        for n, head in enumerate((self.topic, self.hub)):
            head.restore(inputs[n], input_squares[n], marks[n], mark_squares[n])

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The weights as a file keeps them: marks that were never seen are left out."""
        one, other = self.topic.weights(), self.hub.weights()
        seen = np.flatnonzero((one[3] != 1) | (other[3] != 1)).astype(np.int32)
        marks, mark_squares = (np.stack((one[n][seen], other[n][seen])).astype(np.float32) for n in (2, 3))
        return {
            "inputs": np.stack((one[0], other[0])), "input_squares": np.stack((one[1], other[1])), "seen": seen,
            "marks": marks, "mark_squares": mark_squares,
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, arrays: Reader) -> "LinkModel":
        """The model again; what does not fit is refused."""
        shape = (len(HEADS), len(INPUTS))
        inputs = arrays.take("inputs", np.float64, shape)
        input_squares = arrays.take("input_squares", np.float64, shape, low=0.5)
        seen = arrays.take("seen", np.int32, (None,), low=0, high=BUCKETS - 1)
        marks, mark_squares = np.zeros((len(HEADS), BUCKETS)), np.ones((len(HEADS), BUCKETS))
        marks[:, seen] = arrays.take("marks", np.float32, (len(HEADS), len(seen)))
        mark_squares[:, seen] = arrays.take("mark_squares", np.float32, (len(HEADS), len(seen)), low=0.5)
        new = cls()
        new.restore(inputs, input_squares, marks, mark_squares)
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
