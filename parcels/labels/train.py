"""Training a model of block labels.

The first stage is fitted out of fold by site, the second on what the first says then. With a pool of unlabelled pages
the model so made becomes a teacher: the learners of the first stage that read words also learn its labels of the pool's
blocks, where it is sure, and so the words of other sites; and a new second stage learns from the pool beside the
labelled pages. Its view of the pool is that of the teacher's first stage, which has not seen the pool.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parcels.common.output import Log, log_nothing
from parcels.labels.examples import Example, check_enough
from parcels.labels.features import BlockViews
from parcels.labels.gold import UNKNOWN
from parcels.labels.model import BlockModel, ViewLearner, averaged, bags_of, reading, second_rows
from parcels.labels.recipe import Reading, Recipe, shipped
from parcels.learn.calibrate import Temperature
from parcels.learn.folds import fold_of_group, splits
from parcels.learn.learner import Features, Labels, Learner, in_order_of
from parcels.learn.page_net import NetSettings, PageNet
from parcels.learn.page_rows import PageRows
from parcels.learn.words import Floats, Ints, vocabulary

FOLDS = 4
Vocabularies = dict[str, dict[str, int]]


@dataclass(frozen=True)
class _Rows:
    """All labelled blocks of the examples, concatenated."""

    y: Labels  # UNKNOWN where there is no gold
    fold: Ints
    page_end: list[int]  # the row behind each page's last
    labels: Labels  # those that occur, in order

    def known(self, where: Ints | None = None) -> Ints:
        """Return the rows that have a label, among some rows or all."""
        rows = np.arange(len(self.y)) if where is None else where
        return rows[np.not_equal(self.y[rows], UNKNOWN)]


def train(
    examples: Sequence[Example],
    recipe: Recipe | None = None,
    *,
    pool: Sequence[BlockViews] = (),
    seed: int = 0,
    log: Log = log_nothing,
) -> BlockModel:
    """Fit both stages on labelled pages; `pool` are pages without labels."""
    recipe = recipe or shipped()
    examples = [example for example in examples if any(example.labels)]
    check_enough(examples)
    rows, pages = _rows(examples, seed), [example.measured for example in examples]
    vocabularies = {
        bag: vocabulary(_words([*pages, *pool], bag), least_rows=least) for bag, least in recipe.least_rows.items()
    }
    parts, out_of_fold = {}, {}
    for name, read in recipe.first.items():
        log(f"first stage: {name}")
        features = _features(pages, read, vocabularies)
        out_of_fold[name] = _out_of_fold(read.new, features, rows)
        parts[name] = ViewLearner(_fitted(read.new(), features, rows, rows.known()), read.numbers, read.bags)
    log("second stage")
    second = _second(pages, out_of_fold, rows, recipe)
    temperature = _temperature(second, rows, recipe)
    nets = tuple(PageNet(settings).fit(second, rows.labels) for settings in _seeds(recipe.second, recipe.nets))
    model = BlockModel(rows.labels, vocabularies, parts, recipe.second_numbers, nets, temperature, {})
    return _taught(model, recipe, pages, second, rows, pool, log) if pool else model


def _taught(
    teacher: BlockModel,
    recipe: Recipe,
    pages: list[BlockViews],
    second: list[PageRows],
    rows: _Rows,
    pool: Sequence[BlockViews],
    log: Log,
) -> BlockModel:
    """Return the teacher with its word learners and its second stage refitted with the pool."""
    firsts = [teacher.first(page) for page in pool]
    seen = [second_rows(page, first, recipe.second_numbers) for page, first in zip(pool, firsts, strict=True)]
    proba = [np.exp(averaged(teacher.second, page)) for page in seen]
    proba = [(one / one.sum(axis=1, keepdims=True)).astype(np.float32) for one in proba]
    parts = _parts_with_pool(teacher, recipe, pages, rows, pool, np.concatenate(proba), log)
    log("second stage, with the pool")
    lessons = [
        replace(page, target=one, weight=np.where(one.max(axis=1) >= recipe.least_weighed, recipe.pool_weight, 0))
        for page, one in zip(seen, proba, strict=True)
    ]
    nets = []
    for settings in _seeds(replace(recipe.second, epochs=recipe.pool_epochs), recipe.nets):
        net = PageNet(settings).fit(second * recipe.repeats + lessons, rows.labels)
        nets.append(net.go_on(second, epochs=recipe.last_epochs, rate=recipe.last_rate))
    return replace(teacher, parts=parts, second=tuple(nets))


def _seeds(settings: NetSettings, count: int) -> list[NetSettings]:
    return [replace(settings, seed=settings.seed + 100 * number) for number in range(count)]


def _parts_with_pool(
    teacher: BlockModel,
    recipe: Recipe,
    pages: list[BlockViews],
    rows: _Rows,
    pool: Sequence[BlockViews],
    proba: Floats,
    log: Log,
) -> dict[str, ViewLearner]:
    """Refit the learners that learn from the pool, on labelled blocks and on blocks the teacher is sure of."""
    is_sure = proba.max(axis=1) >= recipe.least_confidence
    where = np.concatenate([rows.known(), len(rows.y) + np.flatnonzero(is_sure)])
    log(f"teaching: sure of {int(is_sure.sum())} of {len(proba)} blocks of {len(pool)} pages")
    y = np.concatenate([rows.y, rows.labels[proba.argmax(axis=1)]])[where]
    weight = np.where(where < len(rows.y), 1.0, recipe.word_weight)
    parts = dict(teacher.parts)
    for name, read in recipe.first.items():
        if read.learns_from_pool:
            log(f"first stage: {name}, with the pool")
            part = _features([*pages, *pool], read, teacher.vocabularies).take(where)
            learner = read.new().fit(part.numbers, part.words, y, sample_weight=weight)
            parts[name] = ViewLearner(learner, read.numbers, read.bags)
    return parts


def with_meta(model: BlockModel, meta: dict[str, Any]) -> BlockModel:
    """Return the model with further entries for its model.json."""
    return replace(model, meta=meta)


def _rows(examples: Sequence[Example], seed: int) -> _Rows:
    y = np.array([label for example in examples for label in example.labels])
    is_one_site = len({example.site for example in examples}) == 1  # then pages are held out in place of sites
    group = np.array([example.page if is_one_site else example.site for example in examples for _ in example.labels])
    fold = fold_of_group(group, folds=min(FOLDS, len(np.unique(group))), seed=seed)
    ends = np.cumsum([len(example.labels) for example in examples]).tolist()
    return _Rows(y, fold, ends, np.unique(y[np.not_equal(y, UNKNOWN)]))


def _words(pages: Sequence[BlockViews], bag: str) -> list[Any]:
    """Return the words of all blocks, of one bag."""
    return [row for page in pages for row in getattr(page, bag)]


def _features(pages: Sequence[BlockViews], read: Reading, vocabularies: Vocabularies) -> Features:
    """Return the inputs of a learner of the first stage, for all blocks of some pages."""
    numbers = None
    if read.numbers:
        numbers = np.concatenate([page.beside(*read.numbers) for page in pages]).astype(np.float64)
    return reading(numbers, bags_of(pages, vocabularies) if read.bags else {}, read.bags)


def _second(pages: Sequence[BlockViews], out_of_fold: dict[str, Floats], rows: _Rows, recipe: Recipe) -> list[PageRows]:
    """Return the examples of the second stage: each page with out-of-fold probabilities of the first, and the gold."""
    targets = np.equal(rows.y[:, None], rows.labels).astype(np.float32)
    found = []
    for page, start, end in zip(pages, [0, *rows.page_end[:-1]], rows.page_end, strict=True):
        read = second_rows(page, {name: proba[start:end] for name, proba in out_of_fold.items()}, recipe.second_numbers)
        target = targets[start:end]
        found.append(replace(read, target=target, weight=target.sum(axis=1)))
    return found


def _fitted(learner: Learner, features: Features, rows: _Rows, where: Ints) -> Learner:
    part = features.take(where)
    return learner.fit(part.numbers, part.words, rows.y[where])


def _out_of_fold(new: Callable[[], Learner], features: Features, rows: _Rows) -> Floats:
    """Return the probabilities of each row by a learner that has not seen its site."""
    proba = np.zeros((len(rows.y), len(rows.labels)))
    for seen, held_out in splits(rows.fold):
        learner = _fitted(new(), features, rows, rows.known(seen))
        part = features.take(held_out)
        proba[held_out] = in_order_of(rows.labels, learner.predict_proba(part.numbers, part.words), learner.classes_)
    return proba


def _temperature(second: list[PageRows], rows: _Rows, recipe: Recipe) -> float:
    """Return the temperature that corrects the second stage's confidence, fitted on one held-out fold."""
    is_held_out = [rows.fold[end - 1] == 0 for end in rows.page_end]
    net = PageNet(recipe.second).fit(
        [page for page, held in zip(second, is_held_out, strict=True) if not held], rows.labels
    )
    logs, y = [], []
    for page, held in zip(second, is_held_out, strict=True):
        if held and page.target is not None and page.weight is not None:
            known = page.weight > 0
            logs.append(net.predict_log_proba(page)[known])
            y.append(page.target[known].argmax(axis=1))
    return Temperature.fitted(np.concatenate(logs).astype(np.float64), np.concatenate(y)).value
