"""Topics by layout: accuracy of bag of words, the paper's weights and learned weights on universities held out whole.

python -m benchmarks topics
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.corpora import folder
from benchmarks.topics_data import OTHER, UNIVERSITIES, webkb
from parcels.learn.folds import fold_of_group
from parcels.learn.words import Floats
from parcels.topics.constituents import CONSTITUENTS
from parcels.topics.examples import Example, examples
from parcels.topics.mixture import PAPER_WEIGHTS
from parcels.topics.training import train_topics

DRAWS = 2000
CENTRE_AND_TITLE = {name: PAPER_WEIGHTS[name] if name in ("centre", "title") else 0.0 for name in CONSTITUENTS}


def main() -> bool:
    found, university = webkb()
    splits = [
        (
            [e for e in found if university[e.name] != name],
            [e for e in found if university[e.name] == name],
        )
        for name in UNIVERSITIES
    ]
    print("webkb, each of three universities held out")
    is_good = compare(splits)
    print("\nwebkb without the topic `other`")
    compare([([e for e in a if e.topic != OTHER], [e for e in b if e.topic != OTHER]) for a, b in splits])
    print("\nwcxb, page types as topics, by five folds of sites")
    types = examples([folder() / "wcxb"])
    fold = fold_of_group(np.array([e.site for e in types]))
    folds = [[e for e, n in zip(types, fold, strict=True) if n == out] for out in range(int(fold.max()) + 1)]
    compare([([e for part in folds if part is not held_out for e in part], held_out) for held_out in folds])
    return is_good


def compare(splits: Sequence[tuple[list[Example], list[Example]]]) -> bool:
    """Print a table like the paper's Table 2, and the gains with intervals; True where they are above zero."""
    right: dict[str, list[Floats]] = {}
    truth: list[str] = []
    for seen, held_out in splits:
        for name, predicted in predictions(seen, held_out).items():
            hits = [guess == e.topic for guess, e in zip(predicted, held_out, strict=True)]
            right.setdefault(name, []).append(np.array(hits, np.float64))
        truth += [e.topic for e in held_out]
    names = list(right)
    hits = {name: np.concatenate(parts) for name, parts in right.items()}
    topics = np.array(truth)
    print(f"| topic | {' | '.join(names)} | pages |\n|{'---|' * (len(names) + 2)}")
    for topic in sorted(set(truth)):
        own = topics == topic
        print(f"| {topic} | {' | '.join(f'{hits[name][own].sum():.0f}' for name in names)} | {own.sum()} |")
    print(f"| all | {' | '.join(f'{hits[name].mean():.1%}' for name in names)} | {len(topics)} |")
    print(f"| mean of topics | {' | '.join(f'{_by_topic(hits[name], topics):.1%}' for name in names)} | |")
    gains = {name: interval(hits[name] - hits["bag of words"]) for name in names[1:]}
    for name, (gain, low, high) in gains.items():
        print(f"gain of {name} over bag of words: {gain:+.1%} ({low:+.1%} to {high:+.1%})")
    gain, low, high = interval(hits["learned weights"] - hits["paper's weights"])
    print(f"gain of learned over the paper's weights: {gain:+.1%} ({low:+.1%} to {high:+.1%})")
    return gains["paper's weights"][1] > 0 and gains["learned weights"][1] > 0 and gain >= 0


def predictions(seen: Sequence[Example], held_out: Sequence[Example]) -> dict[str, list[str]]:
    """The topic of each held-out page by each method, all trained on the same pages."""
    model = train_topics(seen, link_topics=())
    pages = [e.page.constituents for e in held_out]
    proba, present = model.mixture.by_constituent(pages)
    said = {
        "bag of words": model.mixture.bag_of_words(pages),
        "paper's weights": model.mixture.mix(proba, present, PAPER_WEIGHTS),
        "learned weights": model.mixture.mix(proba, present),
        "centre and title": model.mixture.mix(proba, present, CENTRE_AND_TITLE),
    }
    print("learned:", ", ".join(f"{name} {weight:.2f}" for name, weight in model.mixture.weights.items()))
    return {name: model.mixture.topics[of.argmax(axis=1)].tolist() for name, of in said.items()}


def _by_topic(hits: Floats, topics: "np.ndarray[tuple[int], np.dtype[np.str_]]") -> float:
    return float(np.mean([hits[topics == topic].mean() for topic in np.unique(topics)]))


def interval(differences: Floats) -> tuple[float, float, float]:
    """The mean of differences a page, and where 95 % of redrawn samples have it."""
    rng = np.random.default_rng(0)
    means = [rng.choice(differences, len(differences)).mean() for _ in range(DRAWS)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(differences.mean()), float(low), float(high)
