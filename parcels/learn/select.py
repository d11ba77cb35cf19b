"""The selection of the rows that a view labels: the most confident ones of each class, up to a quota.

Rows are ranked by their margin, the log odds of the label. It distinguishes rows whose probability rounds to 1. Margins
are rounded, so that machines that sum in different orders select the same rows. Ties go to the smaller id. Merging the
selections of parts gives the selection of all rows, so partitions select on their own and little data is moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labels, Learner
from parcels.learn.words import Floats, Ints

DECIMALS = 6  # of a margin
CERTAIN = 1e6  # the margin if there is only one class


def quotas(counts: Ints, k: int) -> Ints:
    """Return how many rows of each class a view labels: k in proportion to the initial counts, rounded up.

    The sum may exceed k: otherwise rare classes would never get an example (Lee, Kan and Lai 2004, section 6).

    >>> quotas(np.array([3, 9]), k=4)
    array([1, 3])
    >>> quotas(np.array([479, 309, 6]), k=20)
    array([13,  8,  1])
    """
    if k < 1 or not len(counts) or counts.sum() < 1:
        raise ConfigError(f"k must be at least 1 and some label must have an example, got k {k} and counts {counts}")
    result: Ints = -(-k * counts // counts.sum())
    return result


@dataclass(frozen=True, eq=False)
class Votes:
    """A view's label of each row (a class index), with its probability and its margin."""

    ids: Labels
    label: Ints
    confidence: Floats
    margin: Floats

    @classmethod
    def of(cls, ids: Labels, log_proba: Floats) -> "Votes":
        """Make votes from log-probabilities with one column per class."""
        label = log_proba.argmax(axis=1)
        return cls(ids, label, np.exp(log_proba.max(axis=1, initial=-np.inf)), margins(log_proba))

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: npt.NDArray[np.int64]) -> "Votes":
        """Return some rows."""
        return Votes(self.ids[rows], self.label[rows], self.confidence[rows], self.margin[rows])


def margins(log_proba: Floats) -> Floats:
    """Return the rounded log odds of the most likely class.

    >>> margins(np.log([[0.5, 0.5], [0.9, 0.1]]))
    array([0.      , 2.197225])
    """
    if log_proba.shape[1] == 1:
        return np.full(len(log_proba), CERTAIN)
    others = np.sort(np.maximum(log_proba, -CERTAIN), axis=1)[:, :-1]
    most = others[:, -1:]
    rest = most[:, 0] + np.log(np.exp(others - most).sum(axis=1))
    margin: Floats = np.round(np.minimum(log_proba.max(axis=1) - rest, CERTAIN), DECIMALS)
    return margin


def agreed(votes: Sequence[Votes]) -> list[Votes]:
    """Return each view's votes on the rows to which all views give the same label.

    >>> views = [Votes.of(np.array(["a", "b"]), np.log([[0.9, 0.1], [one, 1 - one]])) for one in (0.7, 0.2)]
    >>> [kept.ids.tolist() for kept in agreed(views)]
    [['a'], ['a']]
    """
    labels = np.stack([vote.label for vote in votes])
    rows = np.flatnonzero((labels == labels[0]).all(axis=0))
    return [vote.take(rows) for vote in votes]


def choose(votes: Votes, quota: Ints) -> Votes:
    """Return the most confident rows of each class, up to its quota, sorted by class, margin and id."""
    order = np.lexsort((votes.ids, -votes.margin, votes.label))
    label = votes.label[order]
    rank = np.arange(len(order)) - np.searchsorted(label, label)
    return votes.take(order[rank < quota[label]])


def merge(parts: Sequence[Votes], quota: Ints) -> Votes:
    """Return the choice from all rows, given the choices from parts of them."""
    return choose(concatenated(parts), quota)


def concatenated(parts: Sequence[Votes]) -> Votes:
    """Return the rows of all parts."""
    fields = ([getattr(part, name) for part in parts] for name in ("ids", "label", "confidence", "margin"))
    ids, label, confidence, margin = (np.concatenate(arrays) for arrays in fields)
    return Votes(ids, label, confidence, margin)


def settle(choices: Sequence[Votes]) -> tuple[Votes, Ints]:
    """Return one label for each row that any view chose, sorted by id, and the index of its view.

    A row that several views chose is labelled by the most confident one, the first of equals.
    """
    both = concatenated(choices)
    view = np.repeat(np.arange(len(choices)), [len(choice) for choice in choices])
    order = np.lexsort((view, -both.margin, both.ids))
    ids = both.ids[order]
    is_first = np.concatenate([[True], ids[1:] != ids[:-1]])[: len(ids)]
    kept = order[is_first]
    return both.take(kept), view[kept]


@dataclass(frozen=True, eq=False)
class Selection:
    """The votes that each view selected from some rows of the pool, and counts of all of these rows."""

    choices: tuple[Votes, ...]
    row_count: int
    agreed_count: int  # rows to which all views give the same label

    @property
    def ids(self) -> Labels:
        """Ids of the selected rows, sorted."""
        ids: Labels = np.unique(np.concatenate([choice.ids for choice in self.choices]))
        return ids

    @property
    def agreement(self) -> float | None:
        """Share of the rows to which all views give the same label."""
        return self.agreed_count / self.row_count if self.row_count else None

    def merged(self, other: "Selection", quota: Ints) -> "Selection":
        """Return the selection from the rows of both."""
        choices = tuple(merge(pair, quota) for pair in zip(self.choices, other.choices, strict=True))
        return Selection(choices, self.row_count + other.row_count, self.agreed_count + other.agreed_count)


@dataclass(frozen=True, eq=False)
class Selector:
    """The learners of a round, one per view, and how many rows of each class each of them may label."""

    learners: Sequence[Learner]
    quota: Ints
    is_agreed: bool = False  # True: only rows to which all views give the same label

    def select(self, ids: Labels, views: Sequence[Features]) -> Selection:
        """Score rows and select from them."""
        if not len(ids):
            nothing = Votes(ids, np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
            return Selection(tuple(nothing for _ in self.learners), 0, 0)
        pairs = zip(self.learners, views, strict=True)
        votes = [Votes.of(ids, learner.predict_log_proba(view.numbers, view.words)) for learner, view in pairs]
        same = agreed(votes)
        choices = tuple(choose(vote, self.quota) for vote in (same if self.is_agreed else votes))
        return Selection(choices, len(ids), len(same[0]))
