"""Weights and sharpness of the constituents, learned on held-out pages; the paper tuned them by hand."""

from collections.abc import Sequence

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.folds import FOLDS, fold_of_group, splits
from parcels.learn.learner import in_order_of
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.words import Floats, Ints, Words, vocabulary
from parcels.topics.counts import LEAST_PAGES
from parcels.topics.features import CONSTITUENTS, Bag, Constituents
from parcels.topics.mixture import LEAST, PAPER_SHARPNESS, PAPER_WEIGHTS

STEPS = 300
RATE = 0.5
PRIOR_PAGES = 20.0  # the paper's weights count like so many pages
SHARPNESS = 10.0 ** (np.arange(-32, 1) / 12)  # candidates, from 0.002 to 1


def learn_weights(of_truth: Floats, present: Floats, *, start: dict[str, float] | None = None) -> dict[str, float]:
    """Learn the weights by maximum likelihood of the true topics of held-out pages.

    `of_truth` is the probability that each constituent gives the true topic, page x constituent, by classifiers that
    have not seen the page; `present` is 1 for the constituents that a page has. Exponentiated gradient ascent keeps the
    weights positive.

    >>> of_truth = np.array([[0.5] * 5 + [0.9]] * 50 + [[0.5] * 5 + [0.2]] * 5)
    >>> learned = learn_weights(of_truth, np.ones_like(of_truth))
    >>> max(learned, key=learned.get), round(sum(learned.values()), 6)
    ('title', 1.0)
    """
    start = start or PAPER_WEIGHTS
    prior = np.array([start[name] for name in CONSTITUENTS])
    prior = prior / prior.sum()
    log_weight = np.log(prior)
    pages = max(int((present.sum(axis=1) > 0).sum()), 1)
    for _ in range(STEPS):
        weight = np.exp(log_weight - log_weight.max())
        weight /= weight.sum()
        share = present * weight
        total = np.maximum(share.sum(axis=1), 1e-12)
        mixed = np.maximum((share * of_truth).sum(axis=1), 1e-12)
        gain = (present * of_truth / mixed[:, None] - present / total[:, None]).sum(axis=0)
        slope = weight * gain + PRIOR_PAGES * (prior - weight)  # gradient by the logarithms of the weights
        log_weight = log_weight + RATE * slope / (pages + PRIOR_PAGES) * len(CONSTITUENTS)
    weight = np.exp(log_weight - log_weight.max())
    return dict(zip(CONSTITUENTS, (weight / weight.sum()).round(4).tolist(), strict=True))


def learn_sharpness(proba: Floats, present: Floats, place: Ints) -> dict[str, float]:
    """Learn the sharpness of each constituent by maximum likelihood of the true topics of held-out pages.

    `proba` is page x constituent x topic by classifiers that have not seen the page, `place` each page's true topic. A
    constituent of few pages keeps a sharpness of 1.

    >>> sure = np.zeros((100, 6, 2)) + [0.999999, 0.000001]
    >>> place = np.array([0] * 80 + [1] * 20)
    >>> learned = learn_sharpness(sure, np.ones((100, 6)), place)["centre"]
    >>> 0.08 < learned < 0.12  # 0.8 to 0.2, as it turned out
    True
    """
    sharpness = dict(PAPER_SHARPNESS)
    for n, name in enumerate(CONSTITUENTS):
        rows = np.flatnonzero(present[:, n])
        if len(rows) < PRIOR_PAGES:
            continue
        logs = np.log(np.maximum(proba[rows, n], LEAST))
        of_truth = logs[np.arange(len(rows)), place[rows]]
        fits = [float((power * of_truth - np.log(np.exp(power * logs).sum(axis=1))).mean()) for power in SHARPNESS]
        sharpness[name] = round(float(SHARPNESS[int(np.argmax(fits))]), 4)
    return sharpness


def held_out_probabilities(
    pages: Sequence[Constituents], topics: Sequence[str], sites: Sequence[str], *, folds: int = FOLDS
) -> tuple[Floats, Floats]:
    """Return probabilities (page x constituent x topic) by models of other sites, and the constituents of each page."""
    fold, labels = site_folds(sites, folds), np.array(topics)
    names = np.unique(labels)
    terms = vocabulary((page.whole() for page in pages), least_rows=LEAST_PAGES)
    proba = np.zeros((len(pages), len(CONSTITUENTS), len(names)))
    present = np.zeros((len(pages), len(CONSTITUENTS)))
    for n, name in enumerate(CONSTITUENTS):
        rows = Words.from_counts([page.bags.get(name, Bag()) for page in pages], terms)
        present[:, n] = np.diff(rows.starts) > 0
        for seen, out in splits(fold):
            learner = NaiveBayes().fit(None, rows.take(seen), labels[seen])
            proba[out, n] = in_order_of(names, learner.predict_proba(None, rows.take(out)), learner.classes_)
    return proba, present


def site_folds(sites: Sequence[str], folds: int) -> Ints:
    """Return the fold of each page, with sites kept together; with a single site, pages are split one by one."""
    if len(sites) < 2:
        raise ConfigError("weights are learned on held-out pages: give at least two pages")
    groups = np.array(sites) if len(set(sites)) >= 2 else np.arange(len(sites))
    return fold_of_group(groups, folds=min(folds, len(np.unique(groups))))
