"""The history of co-training: which rows each round labelled, by which view and how confidently."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from parcels.learn.learner import Labels
from parcels.learn.select import Votes
from parcels.learn.words import Ints


@dataclass(frozen=True)
class Example:
    """A row that was labelled."""

    block_id: str | int
    view: str
    label: str | int
    confidence: float


@dataclass(frozen=True)
class Added:
    """The rows that one view labelled as one class in a round."""

    view: str
    label: str | int
    count: int
    least_confidence: float


@dataclass(frozen=True)
class Round:
    """One round of co-training.

    `errors` are those of the learners that chose, fitted on `labelled_count` rows; round 1 is supervised learning.
    """

    number: int
    labelled_count: int
    pool_count: int
    agreement: float | None  # share of the pool on which all views agree
    examples: tuple[Example, ...]
    errors: dict[str, float] | None  # of each view and of "combined" on the held-out rows
    stopped_by: str | None = None

    @property
    def added(self) -> list[Added]:
        """The examples counted by view and label."""
        groups: dict[tuple[str, str | int], list[float]] = {}
        for example in self.examples:
            groups.setdefault((example.view, example.label), []).append(example.confidence)
        return [Added(*key, len(confidences), min(confidences)) for key, confidences in sorted(groups.items(), key=str)]

    @property
    def error(self) -> float | None:
        """Error of the combined label."""
        return None if self.errors is None else self.errors["combined"]

    def plain(self) -> dict[str, Any]:
        """Return the round as plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> "Round":
        """Make a round from the data of `plain`."""
        return cls(**{**data, "examples": tuple(Example(**example) for example in data["examples"])})


def examples(added: Votes, view: Ints, names: Sequence[str], classes: Labels) -> tuple[Example, ...]:
    """Return the rows that a round labelled."""
    labels = classes[added.label].tolist()
    rows = zip(added.ids.tolist(), view.tolist(), labels, added.confidence.tolist(), strict=True)
    return tuple(Example(block_id, names[place], label, confidence) for block_id, place, label, confidence in rows)
