"""Focused crawls over webkb's real link graph: train on the other universities, crawl the one that was held out.

    python -m benchmarks focus

Orders in memory, five repetitions, table and plot; `focus_real` runs the spider itself.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.focus_crawl import (
    MARKS,
    Order,
    bag_of_words_worth,
    best_first,
    breadth_first,
    crawled,
    focused,
    oracle_worth,
)
from benchmarks.focus_plot import plot
from benchmarks.topics_data import LEAST_REACHABLE, OTHER, UNIVERSITIES, Web, web_of, webkb
from parcels.topics.examples import Example
from parcels.topics.model import TopicModel
from parcels.topics.training import train_topics

REPETITIONS = 5
AT = 0.25
OVER_BREADTH, OVER_BAG = 2.0, 1.15  # what a focused crawl must bring more
DRAWS = 2000


def main() -> bool:
    found, university = webkb()
    results: dict[tuple[str, str], dict[str, list[Order]]] = {}
    sizes: dict[tuple[str, str], int] = {}
    for name, web, topic, model in tasks(found, university):
        started = time.process_time()
        results[name, topic] = orders(web, topic, model)
        sizes[name, topic] = len(web.reachable())
        print(f"{name} {topic}: {time.process_time() - started:.0f} s of CPU", file=sys.stderr, flush=True)
    report(results, sizes)
    plot(results, sizes, Path("build/focus.svg"))
    return is_enough(results, sizes)


def tasks(found: list[Example], university: dict[str, str]) -> Iterator[tuple[str, Web, str, TopicModel]]:
    """Each university with each topic that has pages enough, and the model of the others."""
    for name in UNIVERSITIES:
        web = web_of(found, university, name)
        reached = web.reachable()
        counts = Counter(web.pages[url].topic for url in reached)
        wanted = sorted(topic for topic, count in counts.items() if topic != OTHER and count >= LEAST_REACHABLE)
        model = train_topics([e for e in found if university[e.name] != name], link_topics=wanted)
        for topic in wanted:
            print(f"{name} {topic}: {counts[topic]} of {len(reached)} reachable pages", file=sys.stderr, flush=True)
            yield name, web, topic, model


def orders(web: Web, topic: str, model: TopicModel) -> dict[str, list[Order]]:
    """The orders of all strategies, a repetition each."""
    bag, oracle = bag_of_words_worth(web, model.mixture, topic), oracle_worth(web, topic)
    repeated = range(REPETITIONS)
    return {
        "breadth-first": [crawled(web, topic, breadth_first(web, n)) for n in repeated],
        "bag of words": [crawled(web, topic, best_first(web, bag, n)) for n in repeated],
        "focused": [crawled(web, topic, focused(web, model.focus(topic, seed=n))) for n in repeated],
        "oracle": [crawled(web, topic, best_first(web, oracle, n)) for n in repeated],
    }


def means(orders_of: Sequence[Order], share: float, reachable: int) -> tuple[float, float]:
    """Mean harvest and recall after a share of the reachable pages."""
    harvest = np.mean([order.harvest(share, reachable) for order in orders_of])
    return float(harvest), float(np.mean([order.recall(share, reachable) for order in orders_of]))


def report(results: dict[tuple[str, str], dict[str, list[Order]]], sizes: dict[tuple[str, str], int]) -> None:
    """Print harvest and recall of every crawl."""
    print(f"| crawl | strategy | {' | '.join(f'harvest, recall at {mark:.0%}' for mark in MARKS)} | first on topic |")
    print(f"|{'---|' * (len(MARKS) + 3)}")
    for (name, topic), by_strategy in results.items():
        for strategy, found in by_strategy.items():
            cells = ["{:.3f}, {:.3f}".format(*means(found, mark, sizes[name, topic])) for mark in MARKS]
            first = np.mean([order.first for order in found])
            print(f"| {name} {topic} | {strategy} | {' | '.join(cells)} | {first:.0f} |")


def is_enough(results: dict[tuple[str, str], dict[str, list[Order]]], sizes: dict[tuple[str, str], int]) -> bool:
    """Print the focused crawl's harvest beside the others', with intervals over crawls and repetitions."""
    is_good = True
    for strategy, least in (("breadth-first", OVER_BREADTH), ("bag of words", OVER_BAG)):
        ratios = [
            [one.harvest(AT, sizes[key]) / max(other.harvest(AT, sizes[key]), 1e-9)
             for one, other in zip(by["focused"], by[strategy], strict=True)]
            for key, by in results.items()
        ]  # fmt: skip
        rng = np.random.default_rng(0)
        drawn = [
            np.mean([rng.choice(ratios[n], len(ratios[n])).mean() for n in rng.integers(0, len(ratios), len(ratios))])
            for _ in range(DRAWS)
        ]
        mean, (low, high) = float(np.mean(ratios)), np.quantile(drawn, [0.025, 0.975])
        print(f"harvest at {AT:.0%}, focused over {strategy}: {mean:.2f} ({low:.2f} to {high:.2f}); mark {least}")
        is_good &= mean >= least
        first = {s: np.mean([order.first for by in results.values() for order in by[s]]) for s in ("focused", strategy)}
        print(f"first page on topic: focused {first['focused']:.1f}, {strategy} {first[strategy]:.1f}")
        is_good &= bool(first["focused"] <= first[strategy])
    return is_good
