"""Topics by layout: accuracy of bag of words, the paper's weights and what was learned, on universities held out whole.

python -m benchmarks topics
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.quality.topics_cache import cached_examples
from benchmarks.quality.topics_data import OTHER, UNIVERSITIES, webkb
from parcels.learn.folds import fold_of_group
from parcels.learn.words import Floats
from parcels.topics.counts import counted
from parcels.topics.examples import TopicExample
from parcels.topics.features import CONSTITUENTS
from parcels.topics.mixture import PAPER_SHARPNESS, PAPER_WEIGHTS, LayoutMixture
from parcels.topics.train import format_weights, weighed
from parcels.topics.weights import held_out_probabilities, learn_weights

DRAWS = 2000
BAG, PAPER, LEARNED, INNER = "bag of words", "paper's weights", "learned", "centre and title alone"


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
    is_good &= compare([([e for e in a if e.topic != OTHER], [e for e in b if e.topic != OTHER]) for a, b in splits])
    print("\nwcxb, page types as topics, by five folds of sites")
    types, _ = cached_examples("wcxb")
    fold = fold_of_group(np.array([e.site for e in types]))
    folds = [[e for e, n in zip(types, fold, strict=True) if n == out] for out in range(int(fold.max()) + 1)]
    compare([([e for part in folds if part is not held_out for e in part], held_out) for held_out in folds])
    return is_good


def compare(splits: Sequence[tuple[list[TopicExample], list[TopicExample]]]) -> bool:
    """Print a table like the paper's Table 2, and gains with intervals; True where the mixture is above both others."""
    right: dict[str, list[Floats]] = {}
    truth: list[str] = []
    for seen, unseen in splits:
        for name, predicted in predictions(seen, unseen).items():
            hits = [guess == e.topic for guess, e in zip(predicted, unseen, strict=True)]
            right.setdefault(name, []).append(np.array(hits, np.float64))
        truth += [e.topic for e in unseen]
    names = list(right)
    hits = {name: np.concatenate(parts) for name, parts in right.items()}
    topics = np.array(truth)
    print(f"| topic | {' | '.join(names)} | pages |\n|{'---|' * (len(names) + 2)}")
    for topic in sorted(set(truth)):
        own = topics == topic
        print(f"| {topic} | {' | '.join(f'{hits[name][own].sum():.0f}' for name in names)} | {own.sum()} |")
    print(f"| all | {' | '.join(f'{hits[name].mean():.1%}' for name in names)} | {len(topics)} |")
    print(f"| mean of topics | {' | '.join(f'{_by_topic(hits[name], topics):.1%}' for name in names)} | |")
    for name, other in ((PAPER, BAG), (LEARNED, BAG), (INNER, BAG), (LEARNED, PAPER), (LEARNED, INNER)):
        gain, low, high = interval(hits[name] - hits[other])
        print(f"gain of {name} over {other}: {gain:+.1%} ({low:+.1%} to {high:+.1%})", flush=True)
    return interval(hits[LEARNED] - hits[BAG])[1] > 0 and hits[LEARNED].mean() >= hits[PAPER].mean()


def predictions(seen: Sequence[TopicExample], unseen: Sequence[TopicExample]) -> dict[str, list[str]]:
    """The topic of each held-out page by each method, all trained on the same pages."""
    pages, topics = [e.page.constituents for e in seen], [e.topic for e in seen]
    mixture = LayoutMixture.from_counts(counted(zip(pages, topics, strict=True)))
    proba, present = held_out_probabilities(pages, topics, [e.site for e in seen])
    weighed(mixture, proba, present, topics)
    place = np.searchsorted(mixture.topics, np.array(topics))
    plain = learn_weights(proba[np.arange(len(proba)), :, place], present)
    inner = {name: mixture.weights[name] if name in ("centre", "title") else 0.0 for name in CONSTITUENTS}
    new = [e.page.constituents for e in unseen]
    proba, present = mixture.by_constituent(new)
    said = {
        BAG: mixture.bag_of_words(new),
        PAPER: mixture.mix(proba, present, PAPER_WEIGHTS, PAPER_SHARPNESS),
        "learned, not tempered": mixture.mix(proba, present, plain, PAPER_SHARPNESS),
        LEARNED: mixture.mix(proba, present),
        INNER: mixture.mix(proba, present, inner),
    }
    print(
        f"learned: weights {format_weights(mixture.weights)}; sharpness {format_weights(mixture.sharpness)}", flush=True
    )
    return {name: mixture.topics[of.argmax(axis=1)].tolist() for name, of in said.items()}


def _by_topic(hits: Floats, topics: "np.ndarray[tuple[int], np.dtype[np.str_]]") -> float:
    return float(np.mean([hits[topics == topic].mean() for topic in np.unique(topics)]))


def interval(differences: Floats) -> tuple[float, float, float]:
    """The mean of differences a page, and where 95 % of redrawn samples have it."""
    rng = np.random.default_rng(0)
    means = [rng.choice(differences, len(differences)).mean() for _ in range(DRAWS)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(differences.mean()), float(low), float(high)
