"""Training of the model that tells articles, index pages and other pages apart, with folds of sites."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.common.output import log_to_stderr
from parcels.index_pages.evaluate import ArticleScores, article_scores
from parcels.index_pages.examples import ANSWERS, ARTICLE, INDEX, IndexExample, read_examples
from parcels.index_pages.features import as_rows, without_address
from parcels.index_pages.model import IndexModel
from parcels.learn.folds import fold_of_group, splits
from parcels.learn.trees import Trees
from parcels.models.card import Source, Trained, examples_hash

FOLDS = 5
WITHOUT_ADDRESS = 0.1  # weight of an example's copy that has no address
ROUNDS, LEAVES, RATE, LEAST_ROWS, RIDGE, COLUMNS = 200, 8, 0.06, 15, 5.0, 0.4
CARD = """# Article, index page or other

Predicts whether the main content of a page is one text to read (article), links to such pages (index), or neither.

{made}- Examples: {pages:,} pages of {sites:,} sites: {counts}.
- Features: structure, metadata and the shape of the address. No word of any language is read.
- Learner: gradient boosted trees; articles weigh as much as all other pages together. Copies of the pages without an
  address have a weight of {bare}.
- Scores by {folds} folds of sites, article against the rest:

{scores}

- Limits: pages that are neither article nor index are decided worst.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Train on the folders' pages, cross-validate by folds of sites, and write the model folder."""
    examples: list[IndexExample] = []
    groups: list[str] = []
    sources: list[Source] = []
    for folder in data:
        read, unreadable = read_examples(folder)
        log_to_stderr(f"{folder.name}: {len(read)} pages{f', not read: {len(unreadable)}' if unreadable else ''}")
        sources.append(Source(folder, len(read), len({example.site for example in read})))
        examples += read
        groups += [folder.name] * len(read)
    chances = cross_validated(examples)
    scores = _scores(examples, groups, chances)
    sites = len({example.site for example in examples})
    digest = examples_hash(f"{example.site} {example.name} {example.answer} {example.row}" for example in examples)
    trained = Trained("index-pages", sources, out, digest, settings={"folds": FOLDS})
    meta = trained.stated(pages=len(examples), sites=sites)
    meta["scores"] = {name: round(score.right, 4) for name, score in scores.items()}
    replace(fitted(examples), meta=meta).save(out)
    answers = [example.answer for example in examples]
    counts = ", ".join(f"{answers.count(answer):,} {answer}" for answer in ANSWERS)
    card = CARD.format(
        made=trained.lines(), pages=len(examples), sites=sites, counts=counts, bare=WITHOUT_ADDRESS, folds=FOLDS,
        scores=_table(scores),
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(examples)} pages of {sites} sites; by folds of sites\n{_table(scores)}"


def fitted(examples: Sequence[IndexExample]) -> IndexModel:
    """Fit the trees; every example has a copy without its address."""
    rows, answers = as_rows([example.row for example in examples]), np.array([example.answer for example in examples])
    is_article = answers == ARTICLE
    weight = np.where(is_article, 0.5 / max(1, is_article.sum()), 0.5 / max(1, (~is_article).sum())) * len(rows)
    trees = Trees(
        rounds=ROUNDS, leaves=LEAVES, rate=RATE, least_rows=LEAST_ROWS, ridge=RIDGE, column_share=COLUMNS
    )  # fmt: skip
    both = np.concatenate([rows, without_address(rows)])
    weights = np.concatenate([weight, WITHOUT_ADDRESS * weight])
    return IndexModel(trees.fit(both, None, np.concatenate([answers, answers]), sample_weight=weights))


def cross_validated(examples: Sequence[IndexExample], *, folds: int = FOLDS) -> NDArray[np.float64]:
    """Return the probabilities of each example, by a model that has not seen its site."""
    chances = np.zeros((len(examples), len(ANSWERS)))
    for seen, held_out in splits(fold_of_group(np.array([example.site for example in examples]), folds=folds)):
        model = fitted([examples[n] for n in seen.tolist()])
        chances[held_out] = model.trees.predict_proba(as_rows([examples[n].row for n in held_out.tolist()]), None)
    return chances


def _scores(
    examples: Sequence[IndexExample], groups: Sequence[str], chances: NDArray[np.float64]
) -> dict[str, ArticleScores]:
    """Return the scores of each folder, and of all pages that are an article or an index page."""
    is_article = np.array([example.answer == ARTICLE for example in examples])
    is_one = np.array([example.answer in (ARTICLE, INDEX) for example in examples])
    decided, group = chances.argmax(axis=1) == ANSWERS.index(ARTICLE), np.array(groups)
    chosen = {name: group == name for name in dict.fromkeys(groups)} | {"articles and index pages": is_one}
    return {name: article_scores(is_article[rows].tolist(), decided[rows].tolist()) for name, rows in chosen.items()}


def _table(scores: dict[str, ArticleScores]) -> str:
    lines = ["| pages | count | right | balanced | articles | other pages |", "|---|---:|---:|---:|---:|---:|"]
    lines += [
        f"| {name} | {own.pages} | {own.right:.4f} | {own.balanced:.4f} | {own.articles:.4f} | {own.others:.4f} |"
        for name, own in scores.items()
    ]
    return "\n".join(lines)
