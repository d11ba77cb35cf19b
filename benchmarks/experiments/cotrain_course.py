"""Blum and Mitchell's co-training experiment on their own pages (corpus course-cotrain): does the algorithm work?

`python -m benchmarks.experiments.cotrain_course [--first 100] [--splits 40] [--plot FILE.png]`. 263 of 1,051 pages are
held out, 3 course and 9 other pages are labelled, the rest is the pool; each view labels 1 course and 3 other pages a
round, 30 rounds; Naive Bayes over the words of the page and over the words of the links that point to it.
"""

import argparse
import re
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow.parquet as pq
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from benchmarks import corpora
from parcels.learn.cotrain import CoTraining, single_view, view_errors
from parcels.learn.learner import Features, Labelled
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.pool import ArrayPool, Draw, FreshShare, Replenished
from parcels.learn.words import Words, vocabulary

PAPER = {
    "page": (12.9, 6.2),
    "link": (12.4, 11.6),
    "combined": (11.1, 5.0),
}  # per cent, Blum and Mitchell 1998, table 2
TEST, COURSE, OTHER = 263, 3, 9
P_AND_N = 4  # one course page and three others: in the proportion of the labelled pages
U, ROUNDS = 75, 30
LEAST_PAGES = 2  # a word of one page alone teaches nothing about another
HIDDEN = re.compile(rb"<(script|style)\b.*?</\1\s*>|<!--.*?-->", re.S | re.I)
TAG = re.compile(rb"<[^>]*>")
WORD = re.compile(r"[a-z]+|[0-9]+")
LONGEST_NUMBER = 5
COMBINATION = "product"  # theirs; with two classes the more confident view always has the same label


class Variant(NamedTuple):
    """How the pool is drawn, how large it is, and whether all rows count as equally long (their mean)."""

    draw: Draw
    u: int
    is_one_length: bool = False


VARIANTS = {
    "pool of 75, replenished (theirs)": Variant(Replenished(), U),
    "fresh pool of 75 a round (PARCELS)": Variant(FreshShare(), U),
    "fresh pool of 25 a round": Variant(FreshShare(), U // 3),
    "replenished, rows of one length": Variant(Replenished(), U, is_one_length=True),
    "fresh 75, rows of one length": Variant(FreshShare(), U, is_one_length=True),
    "fresh 25, rows of one length": Variant(FreshShare(), U // 3, is_one_length=True),
}


def words_of(text: bytes) -> list[str]:
    """Words without tags and stop words, in lower case; a number is the number of its digits, since courses have
    numbers and few of them occur twice."""
    words = WORD.findall(TAG.sub(b" ", HIDDEN.sub(b" ", text)).decode("latin-1").lower())
    return ["#" * min(len(w), LONGEST_NUMBER) if w.isdigit() else w for w in words if w not in ENGLISH_STOP_WORDS]


def load() -> Labelled:
    """All pages with both views."""
    table = pq.read_table(corpora.folder() / "course-cotrain" / "pages.parquet")
    views = []
    for name in ("html", "inlinks"):
        texts = [words_of(text) for text in table[name].to_pylist()]
        views.append(Features.of(words=Words.from_texts(texts, vocabulary(texts, least_rows=LEAST_PAGES))))
    return Labelled(np.array(table["page"].to_pylist()), np.array(table["label"].to_pylist()), tuple(views))


def split(pages: Labelled, seed: int) -> tuple[Labelled, ArrayPool, Labelled]:
    """Labelled pages, pool and held-out pages."""
    order = np.random.default_rng(seed).permutation(len(pages))
    held_out, rest = order[:TEST], order[TEST:]
    is_course = pages.y[rest] == "course"
    labelled = np.concatenate([rest[is_course][:COURSE], rest[~is_course][:OTHER]])
    pool = pages.take(np.setdiff1d(rest, labelled))
    return pages.take(labelled), ArrayPool.of(pool.ids, pool.views), pages.take(held_out)


def curves(pages: Labelled, variant: Variant, seeds: range) -> dict[str, np.ndarray]:
    """The error of each view and of both, (splits, rounds + 1), before and after each round."""
    found: dict[str, list[list[float]]] = {}
    lengths = [float(view.words.counts.sum() / len(view)) if variant.is_one_length else None for view in pages.views]
    views = {name: partial(NaiveBayes, row_length=n) for name, n in zip(("page", "link"), lengths, strict=True)}
    for seed in seeds:
        labelled, pool, held_out = split(pages, seed)
        training = CoTraining(views, P_AND_N, variant.u, ROUNDS, seed, draw=variant.draw, combination=COMBINATION).fit(
            labelled, pool, held_out=held_out
        )
        points = [done.errors or {} for done in training.rounds_] + [training.final_errors_ or {}]
        points += points[-1:] * (ROUNDS + 1 - len(points))  # a pool that is exhausted changes nothing more
        for name in PAPER:
            found.setdefault(name, []).append([point[name] for point in points])
    return {name: np.array(rows) for name, rows in found.items()}


def references(pages: Labelled, seeds: range) -> dict[str, float]:
    """Errors without co-training: both views in one learner, and with the whole pool labelled."""
    single, full = [], []
    for seed in seeds:
        labelled, _, held_out = split(pages, seed)
        rows, others = single_view(labelled.views), single_view(held_out.views)
        model = NaiveBayes().fit(None, rows.words, labelled.y)
        answer = model.classes_[model.predict_log_proba(None, others.words).argmax(axis=1)]
        single.append((answer != held_out.y).mean())
        everything = pages.take(~np.isin(pages.ids, held_out.ids))
        views = zip(("page", "link"), everything.views, strict=True)
        learners = {name: NaiveBayes().fit(None, view.words, everything.y) for name, view in views}
        full.append(view_errors(learners, held_out, COMBINATION))
    labels = {f"all pages labelled, {name}": float(np.mean([row[name] for row in full])) for name in PAPER}
    return {"one view of both, 12 labelled": float(np.mean(single)), **labels}


def plot(path: Path, results: dict[str, dict[str, np.ndarray]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(results), figsize=(6 * len(results), 4), sharey=True, squeeze=False)
    for axis, (title, curve) in zip(axes[0], results.items(), strict=True):
        for name, rows in curve.items():
            axis.plot(100 * rows.mean(axis=0), label=name)
        axis.set(title=title, xlabel="round", ylabel="error, %", ylim=(0, None))
        axis.legend()
    figure.tight_layout()
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> bool:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=40)
    parser.add_argument("--first", type=int, default=100, help="number of the first split; 0 to 19 were used in tuning")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args([] if arguments is None else arguments)
    pages, seeds = load(), range(options.first, options.first + options.splits)
    print(f"course-cotrain {corpora.fingerprint('course-cotrain')}: {len(pages)} pages, {options.splits} splits")
    print(f"words: page {pages.views[0].words.width}, links {pages.views[1].words.width}")
    print(f"{'error, %':38} {'page':>14} {'link':>14} {'combined':>14}")
    print(f"{'Blum and Mitchell 1998':38}" + "".join(f" {a:5.1f} -> {b:5.1f}" for a, b in PAPER.values()))
    results = {title: curves(pages, variant, seeds) for title, variant in VARIANTS.items()}
    for title, found in results.items():
        ends = [(100 * rows[:, 0].mean(), 100 * rows[:, -1].mean()) for rows in found.values()]
        print(f"{title:38}" + "".join(f" {a:5.1f} -> {b:5.1f}" for a, b in ends))
    theirs = next(iter(results.values()))["combined"]
    gain = theirs[:, 0] - theirs[:, -1]
    print(f"{'their variant: combined error falls by':38} {100 * gain.mean():5.1f} points", end=" ")
    spread = 100 * gain.std(ddof=1) / len(gain) ** 0.5
    print(f"(standard error {spread:.1f}; on {(gain > 0).sum()} of {len(gain)} splits)")
    for name, error in references(pages, seeds).items():
        print(f"{name:38} {100 * error:5.1f}")
    if options.plot:
        plot(options.plot, {title: results[title] for title in list(VARIANTS)[:3]})
    return bool(gain.mean() > 0)


if __name__ == "__main__":
    import sys

    raise SystemExit(0 if main(sys.argv[1:]) else 4)
