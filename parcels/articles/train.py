"""Learning the content scorer; every number it learns from another's prediction comes from other sites."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from parcels.articles.body.parts import Floats, Ints
from parcels.articles.clues import ClueCounts, Clues, node_tokens
from parcels.articles.examples import Example
from parcels.articles.features import features
from parcels.articles.model import ContentModel, content_column, second_rows, without_address
from parcels.articles.page_types import page_tokens
from parcels.learn.folds import fold_of_group
from parcels.learn.linear_svm import LinearSvm, fitted
from parcels.learn.trees import Trees

FOLDS = 3  # of the sites, for what one look says to the next
OTHERS = 90  # blocks of a page that are not content, drawn to learn from
CONTENTS = 80  # blocks of a page that are content
WEIGHT = 0.7  # power of a block's words: long blocks matter more to the text, but not in proportion
CONTENT = 0.5  # share of a block's words in the gold text from which it is content
TYPE_TOKENS, TYPE_STRENGTH, TYPE_SHARPNESS = 0.5, 0.3, 5.0  # by log-loss of held-out sites

Tell = Callable[[str], None]


def new_trees() -> Trees:
    """The learner of both looks."""
    return Trees(rounds=110, leaves=31, rate=0.12, least_rows=40, ridge=5.0, column_share=0.5)


@dataclass(frozen=True)
class Prepared:
    """The examples with what the scorer reads of them, each by clues and models of other sites."""

    examples: Sequence[Example]
    fold: Ints
    counts: ClueCounts
    tokens: list[set[str]]  # of the page, for its type
    types: Floats
    rows: list[npt.NDArray[np.float32]]
    said: list[Floats]  # by the first look

    def second(self, number: int) -> npt.NDArray[np.float32]:
        """What the second look reads of an example."""
        rows, parts = self.rows[number].astype(np.float64), self.examples[number].parts
        return second_rows(parts, rows, self.said[number], self.types[number]).astype(np.float32)


def prepare(examples: Sequence[Example], *, folds: int = FOLDS, tell: Tell = lambda line: None) -> Prepared:
    """Measure the examples and let the first look speak of each, fold by fold."""
    sites = [example.site for example in examples]
    fold = fold_of_group(np.array(sites), folds=folds)
    counts = ClueCounts.empty()
    for example in examples:
        counts.add(example.parts, example.shares, example.site)
    tell("clues counted")
    rows, tokens = _measured(examples, fold, counts)
    tell("blocks measured")
    kinds = np.unique([example.page_type for example in examples])
    types, said = np.zeros((len(examples), len(kinds))), [np.zeros(0)] * len(examples)
    for number in np.unique(fold).tolist():
        others, own = np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()
        guess = _types([examples[n] for n in others], [tokens[n] for n in others])
        places = np.searchsorted(kinds, guess.types)
        bags = [dict.fromkeys(without_address(tokens[n]), 1) for n in own]  # as the text is chosen
        types[np.ix_(own, places.tolist())] = guess.probabilities(guess.scores(bags))
        first = fit_look([examples[n] for n in others], [rows[n] for n in others])
        for n in own:
            said[n] = content_column(first, rows[n].astype(np.float64)) if len(rows[n]) else np.zeros(0)
        tell(f"first look, fold {number}")
    return Prepared(examples, fold, counts, tokens, types, rows, said)


def cross_validated(prepared: Prepared, tell: Tell = lambda line: None) -> list[Floats]:
    """The second look's probabilities of every example, by a model that has not seen its fold."""
    found: list[Floats] = [np.zeros(0)] * len(prepared.examples)
    for number in np.unique(prepared.fold).tolist():
        others = np.flatnonzero(prepared.fold != number).tolist()
        second = fit_look([prepared.examples[n] for n in others], [prepared.second(n) for n in others])
        for n in np.flatnonzero(prepared.fold == number).tolist():
            if len(prepared.rows[n]):
                said = content_column(second, prepared.second(n).astype(np.float64))
                found[n] = np.where(prepared.examples[n].parts.words > 0, said, 0.0)
        tell(f"second look, fold {number}")
    return found


def finished(prepared: Prepared) -> ContentModel:
    """The model of all examples."""
    examples, clues = prepared.examples, prepared.counts.clues()
    types = _types(examples, prepared.tokens)
    first = fit_look(examples, prepared.rows)
    second = fit_look(examples, [prepared.second(n) for n in range(len(examples))])
    return ContentModel(clues, types, first, second)


def fit_look(examples: Sequence[Example], rows: Sequence[npt.NDArray[np.float32]]) -> Trees:
    """Boost trees on a draw of each page's blocks; each page weighs the same, and its two sides what they are worth."""
    rng = np.random.default_rng(0)
    parts, labels, weights = [], [], []
    for example, of_page in zip(examples, rows, strict=True):
        is_content = example.shares >= CONTENT
        if not is_content.any():
            continue  # its gold text is not among its blocks: there is nothing to learn
        worth = np.power(np.maximum(1, example.parts.words), WEIGHT) * (example.parts.words > 0)
        total = worth.sum()
        for is_side, most in ((is_content, CONTENTS), (~is_content, OTHERS)):
            side = np.flatnonzero(is_side & (worth > 0))
            if not len(side):
                continue
            drawn = np.sort(rng.choice(side, most, replace=False)) if len(side) > most else side
            parts.append(of_page[drawn])
            labels.append(np.full(len(drawn), int(is_side is is_content)))
            weights.append(worth[drawn] * (worth[side].sum() / worth[drawn].sum()) * (100 / total))
    return new_trees().fit(np.concatenate(parts), None, np.concatenate(labels), sample_weight=np.concatenate(weights))


def _measured(
    examples: Sequence[Example], fold: Ints, counts: ClueCounts
) -> tuple[list[npt.NDArray[np.float32]], list[set[str]]]:
    clues: dict[int, Clues] = {}
    for number in np.unique(fold).tolist():
        clues[number] = counts.clues({example.site for example, f in zip(examples, fold, strict=True) if f == number})
    rows, tokens = [], []
    for example, number in zip(examples, fold.tolist(), strict=True):
        names = node_tokens(example.parts)
        rows.append(features(example.parts, example.stated, clues[number], names).astype(np.float32))
        tokens.append(page_tokens(example.parts, example.claims, example.parts.page.url, names))
    return rows, tokens


def _types(examples: Sequence[Example], tokens: Sequence[set[str]]) -> LinearSvm:
    bags = [dict.fromkeys(own, 1) for own in tokens]
    kinds = [example.page_type for example in examples]
    return fitted(bags, kinds, kept_share=TYPE_TOKENS, strength=TYPE_STRENGTH, sharpness=TYPE_SHARPNESS)
