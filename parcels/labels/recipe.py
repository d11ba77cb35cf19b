"""The shipped configuration of the learners and the views that they read, as data."""

from collections.abc import Callable
from dataclasses import dataclass, field

from parcels.learn.learner import Learner
from parcels.learn.linear import Linear
from parcels.learn.page_net import NetSettings
from parcels.learn.trees import Trees

EVERY_NUMBER = ("style", "context", "evidence", "lexical", "topic")


@dataclass(frozen=True)
class Reading:
    """The inputs of one learner of the first stage, and a factory of fresh learners."""

    numbers: tuple[str, ...]
    bags: tuple[str, ...]
    new: Callable[[], Learner]
    learns_from_pool: bool = False


@dataclass(frozen=True)
class Recipe:
    """The learners of both stages.

    The learners of the first stage each read some views. The second stage reads numbers of the views and what the first
    stage says, of the whole page at once.
    """

    first: dict[str, Reading]
    second_numbers: tuple[str, ...]
    second: NetSettings = field(default_factory=NetSettings)
    nets: int = 2  # of the second stage, each with another seed, whose answers are averaged
    least_rows: dict[str, int] = field(default_factory=lambda: {"terms": 3, "names": 4})  # of a word of a vocabulary
    least_confidence: float = 0.85  # of the teacher, for a word learner to learn from a block of the pool
    word_weight: float = 0.4  # of such a block, beside 1 for one that a person labelled
    least_weighed: float = 0.6  # of the teacher, for the second stage to learn from a block of the pool
    pool_weight: float = 0.35  # of such a block
    repeats: int = 3  # of the labelled pages, beside the pool's
    pool_epochs: int = 8
    last_epochs: int = 6  # on the labelled pages alone, in the end
    last_rate: float = 5e-4


def shipped() -> Recipe:
    """Return the recipe of `parcels train blocks`, chosen by cross-validation over sites (docs/results.md)."""
    return Recipe(
        {
            "style": Reading(("style",), (), _trees),
            "words": Reading(("lexical",), ("terms",), _linear, learns_from_pool=True),
            "names": Reading((), ("names",), _linear, learns_from_pool=True),
            "page": Reading(EVERY_NUMBER, (), _trees),
            "said": Reading(("lexical",), ("terms", "names"), _linear, learns_from_pool=True),
        },
        EVERY_NUMBER,
    )


def _trees() -> Learner:
    return Trees(rounds=40, rate=0.2, least_rows=20, ridge=2.0, column_share=0.3, row_share=0.7)


def _linear() -> Learner:
    return Linear(strength=4.0, most_steps=40, tolerance=1e-3)
