"""Training of the content model. Predictions that a later stage learns from come from models of other sites."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from parcels.articles.body.choose import choice
from parcels.articles.body.parts import Floats, Ints
from parcels.articles.clues import ClueCounts, Clues, node_tokens
from parcels.articles.confidence import Curve, calibration_error
from parcels.articles.examples import ContentExample, read_examples
from parcels.articles.features import features
from parcels.articles.fields.facts import find_publishers
from parcels.articles.fields.lines import block_of_line, lines_of
from parcels.articles.fields.title import find_title
from parcels.articles.model import ContentModel, Scored, content_column, second_rows, without_address
from parcels.articles.page_types import page_tokens
from parcels.articles.scores import word_f1
from parcels.common.output import Log, log_nothing, log_to_stderr
from parcels.learn.folds import fold_of_group
from parcels.learn.linear_svm import LinearSvm, fitted
from parcels.learn.trees import Trees
from parcels.models.card import Source, Trained, examples_hash

FOLDS = 3  # folds of sites
OTHERS = 90  # training blocks per page that are not content
CONTENTS = 80  # training blocks per page that are content
WEIGHT = 0.7  # exponent of a block's words in its weight
CONTENT = 0.5  # share of a block's words in the gold text from which it is content
TYPE_TOKENS, TYPE_STRENGTH, TYPE_SHARPNESS = 0.5, 0.3, 5.0  # chosen by log-loss on held-out sites

CARD = """# Main content of pages

Predicts for each block of a page the probability that it is content, and the page type.

{made}- Examples: {blocks:,} blocks on {pages:,} pages of {sites:,} sites. A block is content where its words stand in
  the gold text, in order.
- Learners: log-odds of names and words (a site counts once); one linear SVM per page type; gradient boosted trees over
  tree and text of a block; a second stage of trees that also reads the probabilities of the first around the block.
- Scores: word F1 per page, averaged, by {folds} folds of sites (every page is scored by a model that has not seen its
  site):

{scores}

- Confidence: the expected word F1 of the choice, calibrated by a rising curve. Expected calibration error by the same
  folds, each page by the curve of the other folds: {error:.4f}.
- Limits: content hidden by a style sheet is not recognised; pages rendered by scripts are read from their data without
  scores.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, cross-validate by folds of sites, and write the model folder."""
    examples: list[ContentExample] = []
    kinds: list[str] = []
    sources: list[Source] = []
    for folder in data:
        read, unreadable = read_examples([folder])
        log_to_stderr(f"{folder.name}: {len(read)} pages{f', not read: {len(unreadable)}' if unreadable else ''}")
        examples += read
        sources.append(Source(folder, len(read), len({example.site for example in read})))
        kinds += [f"{folder.name} {example.page_type}" for example in read]
    prepared = prepare(examples, log=log_to_stderr)
    proba = cross_validated(prepared, log=log_to_stderr)
    validated = CrossValidated.of(prepared, proba)
    scores, error = validated.scores(kinds), calibration_error(validated.confidence, validated.measured.tolist())
    model = finished(prepared)
    sites = len({example.site for example in examples})
    blocks = sum(len(example.parts) for example in examples)
    digest = examples_hash(f"{example.site} {example.name}\0{example.gold}" for example in examples)
    trained = Trained("content", sources, out, digest, settings={"folds": FOLDS})
    meta = trained.stated(pages=len(examples), sites=sites, blocks=blocks)
    meta["scores"] = {kind: round(f1, 4) for kind, (f1, _) in scores.items()}
    replace(model, curve=validated.curve, meta=meta).save(out)
    card = CARD.format(
        made=trained.lines(), pages=len(examples), sites=sites, blocks=blocks, folds=FOLDS, scores=score_table(scores),
        error=error,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(examples)} pages of {sites} sites; F1 of words by folds of sites\n{score_table(scores)}"


def new_trees() -> Trees:
    """Return an unfitted learner for one stage."""
    return Trees(rounds=110, leaves=31, rate=0.12, least_rows=40, ridge=5.0, column_share=0.5)


@dataclass(frozen=True)
class Prepared:
    """The examples with their features, computed with clues and first-stage models of other sites."""

    examples: Sequence[ContentExample]
    fold: Ints
    counts: ClueCounts
    tokens: list[set[str]]  # features of the page type
    types: Floats
    rows: list[npt.NDArray[np.float32]]
    first_proba: list[Floats]

    def second(self, number: int) -> npt.NDArray[np.float32]:
        """Return the features of the second stage for an example."""
        rows, parts = self.rows[number].astype(np.float64), self.examples[number].parts
        return second_rows(parts, rows, self.first_proba[number], self.types[number]).astype(np.float32)


def prepare(examples: Sequence[ContentExample], *, folds: int = FOLDS, log: Log = log_nothing) -> Prepared:
    """Compute features and first-stage probabilities of the examples, fold by fold."""
    sites = [example.site for example in examples]
    fold = fold_of_group(np.array(sites), folds=folds)
    counts = ClueCounts.empty()
    for example in examples:
        counts.add(example.parts, example.shares, example.site)
    log("counted clues")
    rows, tokens = _measured(examples, fold, counts)
    log("computed features")
    kinds = np.unique([example.page_type for example in examples])
    types, first_proba = np.zeros((len(examples), len(kinds))), [np.zeros(0)] * len(examples)
    for number in np.unique(fold).tolist():
        others, own = np.flatnonzero(fold != number).tolist(), np.flatnonzero(fold == number).tolist()
        type_model = _types([examples[n] for n in others], [tokens[n] for n in others])
        places = np.searchsorted(kinds, type_model.types)
        bags = [dict.fromkeys(without_address(tokens[n]), 1) for n in own]  # as the text is chosen
        types[np.ix_(own, places.tolist())] = type_model.probabilities(type_model.scores(bags))
        first = fit_stage([examples[n] for n in others], [rows[n] for n in others])
        for n in own:
            first_proba[n] = content_column(first, rows[n].astype(np.float64)) if len(rows[n]) else np.zeros(0)
        log(f"first stage, fold {number}")
    return Prepared(examples, fold, counts, tokens, types, rows, first_proba)


def cross_validated(prepared: Prepared, log: Log = log_nothing) -> list[Floats]:
    """Return the second-stage probabilities of every example, by a model that has not seen its fold."""
    proba: list[Floats] = [np.zeros(0)] * len(prepared.examples)
    for number in np.unique(prepared.fold).tolist():
        others = np.flatnonzero(prepared.fold != number).tolist()
        second = fit_stage([prepared.examples[n] for n in others], [prepared.second(n) for n in others])
        for n in np.flatnonzero(prepared.fold == number).tolist():
            if len(prepared.rows[n]):
                of_blocks = content_column(second, prepared.second(n).astype(np.float64))
                proba[n] = np.where(prepared.examples[n].parts.words > 0, of_blocks, 0.0)
        log(f"second stage, fold {number}")
    return proba


def finished(prepared: Prepared) -> ContentModel:
    """Fit the final model on all examples."""
    examples, clues = prepared.examples, prepared.counts.clues()
    types = _types(examples, prepared.tokens)
    first = fit_stage(examples, prepared.rows)
    second = fit_stage(examples, [prepared.second(n) for n in range(len(examples))])
    return ContentModel(clues, types, first, second)


@dataclass(frozen=True)
class CrossValidated:
    """Scores of the examples, each by a model that has not seen its site."""

    scored: list[Scored]  # with the confidence curve of the other folds
    expected: Floats  # expected word F1, before the curve
    measured: Floats
    curve: Curve  # fitted on all folds

    @classmethod
    def of(cls, prepared: Prepared, proba: Sequence[Floats]) -> "CrossValidated":
        """Choose the content of each page, score the choice, and fit a confidence curve on the other folds."""
        kinds = np.unique([example.page_type for example in prepared.examples]).tolist()
        scored = [
            Scored(of_page, dict(zip(kinds, types.tolist(), strict=True)))
            for of_page, types in zip(proba, prepared.types, strict=True)
        ]
        pairs = np.array([_tried(example, one) for example, one in zip(prepared.examples, scored, strict=True)])
        expected, measured = pairs.T
        for number in np.unique(prepared.fold).tolist():
            is_other = prepared.fold != number
            curve = Curve.fitted(expected[is_other], measured[is_other])
            for place in np.flatnonzero(~is_other).tolist():
                scored[place] = replace(scored[place], curve=curve)
        return cls(scored, expected, measured, Curve.fitted(expected, measured))

    @property
    def confidence(self) -> list[float]:
        """The confidence of each example."""
        return [one.curve(expected) for one, expected in zip(self.scored, self.expected.tolist(), strict=True)]

    def scores(self, kinds: Sequence[str]) -> dict[str, tuple[float, int]]:
        """Return mean word F1 and number of pages by kind."""
        by_kind: dict[str, list[float]] = defaultdict(list)
        for kind, f1 in zip(kinds, self.measured.tolist(), strict=True):
            by_kind[kind].append(f1)
        return {kind: (sum(scores) / len(scores), len(scores)) for kind, scores in sorted(by_kind.items())}


def _tried(example: ContentExample, scored: Scored) -> tuple[float, float]:
    """Return expected and measured word F1 of the chosen text."""
    parts, lines = example.parts, lines_of(example.parts)
    title = find_title(lines, example.claims, find_publishers(example.claims))
    taken, expected = choice(scored, parts, block_of_line(parts, lines, title.block if title else None))
    text = "\n".join(text for text, is_taken in zip(example.parts.texts, taken, strict=True) if is_taken)
    return expected, word_f1(example.gold, text)


def score_table(scores: dict[str, tuple[float, int]]) -> str:
    """Return scores as a Markdown table."""
    lines = ["| pages | count | F1 of words |", "|---|---:|---:|"]
    return "\n".join([*lines, *(f"| {kind} | {count} | {f1:.4f} |" for kind, (f1, count) in scores.items())])


def fit_stage(examples: Sequence[ContentExample], rows: Sequence[npt.NDArray[np.float32]]) -> Trees:
    """Fit trees on a sample of each page's blocks; all pages have the same total weight."""
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
    examples: Sequence[ContentExample], fold: Ints, counts: ClueCounts
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


def _types(examples: Sequence[ContentExample], tokens: Sequence[set[str]]) -> LinearSvm:
    bags = [dict.fromkeys(own, 1) for own in tokens]
    kinds = [example.page_type for example in examples]
    return fitted(bags, kinds, kept_share=TYPE_TOKENS, strength=TYPE_STRENGTH, sharpness=TYPE_SHARPNESS)
