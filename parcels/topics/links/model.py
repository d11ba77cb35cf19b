"""The link model: probabilities that a link leads to the topic and to a hub, by two online logistic regressions.

Both read dense numbers, the outcomes of the link's siblings, and hashed marks. They start with weights that need no
training (words of the topic count for it) or with weights from a labelled graph, and learn from every fetched page.
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
from parcels.topics.links.logistic import OnlineLogistic, chance_of, scored
from parcels.topics.links.rows import BUCKETS, DENSE, LinkRow
from parcels.topics.links.tallies import Tallies

TARGETS = ("topic", "hub")
SIBLINGS = ("group_siblings", "page_siblings", "folder_siblings")
INPUTS = (*DENSE, *SIBLINGS, "bias")
RATE = 0.1
FIRST = np.array([
    # anchor address heading around source density group  page  folder bias
    [0.35, 0.15, 0.20, 0.10, 0.15, 0.30, 0.40, 0.30, 0.60, -2.0],
    [0.10, 0.05, 0.15, 0.05, 0.10, 0.20, 0.10, 0.10, 0.10, -2.0],
])  # fmt: skip


class LinkModel:
    """The logistic regressions for the topic and for hubs."""

    def __init__(self) -> None:
        self.topic, self.hub = OnlineLogistic(FIRST[0]), OnlineLogistic(FIRST[1])

    def scored(self, rows: Sequence[LinkRow], tallies: Tallies) -> list[tuple[float, float]]:
        """Return for each link the probabilities that it leads to the topic and to a hub."""
        return scored(self.topic, self.hub, rows, tallies)

    def chances(self, rows: Sequence[LinkRow], siblings: Floats) -> Floats:
        """Return the probabilities as an array, given the sibling outcomes of each link."""
        probabilities = [
            [chance_of(head.log_odds(row.dense, tuple(outcomes), row.marks)) for head in (self.topic, self.hub)]
            for row, outcomes in zip(rows, siblings.tolist(), strict=True)
        ]
        return np.array(probabilities).reshape(len(rows), len(TARGETS))

    def learn(self, row: LinkRow, siblings: Sequence[float], outcome: Sequence[float], *, rate: float = RATE) -> None:
        """Update both regressions with the outcome of a link: one probability each."""
        outcomes = tuple(siblings)
        for head, chance in zip((self.topic, self.hub), outcome, strict=True):
            head.learn(row.dense, outcomes, row.marks, chance, rate)

    def weights(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return weights and squares of the inputs, then of the marks, one row per regression."""
        one, other = self.topic.weights(), self.hub.weights()
        inputs, input_squares, marks, mark_squares = (np.stack(pair) for pair in zip(one, other, strict=True))
        return inputs, input_squares, marks, mark_squares

    def restore(self, inputs: Floats, input_squares: Floats, marks: Floats, mark_squares: Floats) -> None:
        """Set all weights and squares."""
        for n, head in enumerate((self.topic, self.hub)):
            head.restore(inputs[n], input_squares[n], marks[n], mark_squares[n])

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays for a file, without marks that never occurred."""
        one, other = self.topic.weights(), self.hub.weights()
        seen = np.flatnonzero((one[3] != 1) | (other[3] != 1)).astype(np.int32)
        marks, mark_squares = (np.stack((one[n][seen], other[n][seen])).astype(np.float32) for n in (2, 3))
        return {
            "inputs": np.stack((one[0], other[0])), "input_squares": np.stack((one[1], other[1])), "seen": seen,
            "marks": marks, "mark_squares": mark_squares,
        }  # fmt: skip

    @classmethod
    def from_arrays(cls, arrays: Reader) -> "LinkModel":
        """Build the model from arrays; raises ModelMismatch where they are invalid."""
        shape = (len(TARGETS), len(INPUTS))
        inputs = arrays.take("inputs", np.float64, shape)
        input_squares = arrays.take("input_squares", np.float64, shape, low=0.5)
        seen = arrays.take("seen", np.int32, (None,), low=0, high=BUCKETS - 1)
        marks, mark_squares = np.zeros((len(TARGETS), BUCKETS)), np.ones((len(TARGETS), BUCKETS))
        marks[:, seen] = arrays.take("marks", np.float32, (len(TARGETS), len(seen)))
        mark_squares[:, seen] = arrays.take("mark_squares", np.float32, (len(TARGETS), len(seen)), low=0.5)
        new = cls()
        new.restore(inputs, input_squares, marks, mark_squares)
        return new

    def to_bytes(self) -> bytes:
        """Return the arrays as bytes."""
        return packed(self.to_arrays())

    @classmethod
    def from_bytes(cls, data: bytes) -> "LinkModel":
        """Build the model from the bytes of `to_bytes`."""
        try:
            return cls.from_arrays(Reader(unpacked(data)))
        except (zipfile.BadZipFile, zlib.error, *BROKEN) as error:
            raise ModelMismatch(f"the weights of links cannot be read: {error}") from error
