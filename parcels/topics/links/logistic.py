"""Online logistic regression over links."""

import math
from collections.abc import Sequence

import numpy as np

from parcels.learn.words import Floats
from parcels.topics.links.rows import BUCKETS, LinkRow
from parcels.topics.links.tallies import Tallies

SHRINK = 1e-5  # weight decay of marks per step
MOST_ODDS = 30.0


class OnlineLogistic:
    """The log-odds that a link leads to a target: weights of dense inputs, siblings, a bias and hashed marks.

    AdaGrad keeps the sum of squared gradients of each weight, so that rare marks learn fast and frequent ones settle.
    """

    def __init__(self, inputs: Floats) -> None:
        self.inputs, self.input_squares = np.array(inputs, np.float64), np.ones(len(inputs))
        self.marks, self.mark_squares = np.zeros(BUCKETS), np.ones(BUCKETS)

    def log_odds(self, numbers: tuple[float, ...], siblings: tuple[float, ...], marks: tuple[int, ...]) -> float:
        """Return the log-odds of one link."""
        total, place = 0.0, 0
        for number in numbers:
            total += number * self.inputs[place]
            place += 1
        for number in siblings:
            total += number * self.inputs[place]
            place += 1
        total += self.inputs[place]
        of_marks = 0.0
        for mark in marks:
            of_marks += self.marks[mark]
        total += of_marks
        most = MOST_ODDS
        return -most if total < -most else most if total > most else total

    def learn(
        self, numbers: tuple[float, ...], siblings: tuple[float, ...], marks: tuple[int, ...], outcome: float,
        rate: float,
    ) -> None:  # fmt: skip
        """Update the weights with the outcome of a link, a probability from 0 to 1."""
        slope = chance_of(self.log_odds(numbers, siblings, marks)) - outcome
        for place, number in enumerate((*numbers, *siblings, 1.0)):
            step = slope * number
            self.input_squares[place] += step * step
            self.inputs[place] -= rate * step / math.sqrt(self.input_squares[place])
        shrink = SHRINK
        for mark in marks:
            self.mark_squares[mark] += slope * slope
            step = slope + shrink * self.marks[mark]
            self.marks[mark] -= rate * step / math.sqrt(self.mark_squares[mark])

    def restore(self, inputs: Floats, input_squares: Floats, marks: Floats, mark_squares: Floats) -> None:
        """Set all weights and sums of squares."""
        self.inputs, self.input_squares = inputs.astype(np.float64), input_squares.astype(np.float64)
        self.marks, self.mark_squares = marks.astype(np.float64), mark_squares.astype(np.float64)

    def weights(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the arrays that `restore` takes; copy them to keep them, since `learn` updates them in place."""
        asarray = np.asarray
        return asarray(self.inputs), asarray(self.input_squares), asarray(self.marks), asarray(self.mark_squares)


def chance_of(odds: float) -> float:
    """Return the probability for log-odds."""
    return 1.0 / (1.0 + math.exp(-odds))


def scored(
    one: OnlineLogistic, other: OnlineLogistic, rows: Sequence[LinkRow], tallies: Tallies
) -> list[tuple[float, float]]:
    """Return the probabilities of each link by two models, given the outcomes of its siblings so far."""
    probabilities = []
    tallies.ready()
    for row in rows:
        numbers, siblings, marks = row.dense, tallies.of(row.keys), row.marks
        probabilities.append((
            chance_of(one.log_odds(numbers, siblings, marks)), chance_of(other.log_odds(numbers, siblings, marks))
        ))  # fmt: skip
    return probabilities
