"""Report harvest and recall of each crawl strategy, and the focused crawl beside the others.

Intervals are 95 % bootstrap intervals over crawls and the repetitions within them. They are rough, because a corpus has
few universities and topics.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.experiments.focus_crawl import MARKS, Order
from parcels.learn.words import Floats

AT = 0.25
OVER_BREADTH, OVER_BAG = 2.0, 1.15  # what a focused crawl must bring more
DRAWS = 2000
FOCUSED, BREADTH, BAG, ORACLE = "focused", "breadth-first", "bag of words", "oracle"
EVERY = "focused, every page laid out"
Crawl = tuple[str, str]  # university and topic
Results = Mapping[Crawl, Mapping[str, Sequence[Order]]]
Sizes = Mapping[Crawl, int]  # reachable pages


def report(results: Results, sizes: Sizes) -> None:
    """Print harvest and recall of every crawl, then of every strategy over all crawls."""
    titles = " | ".join(f"harvest, recall at {mark:.0%}" for mark in MARKS)
    print(f"| crawl | strategy | {titles} | first on topic |\n|{'---|' * (len(MARKS) + 3)}")
    for (name, topic), by_strategy in results.items():
        size = sizes[name, topic]
        for strategy, found in by_strategy.items():
            cells = [
                f"{np.mean([o.harvest(mark, size) for o in found]):.3f}, "
                f"{np.mean([o.recall(mark, size) for o in found]):.3f}"
                for mark in MARKS
            ]
            first = np.mean([order.first for order in found])
            crawl = f"{name}, {topic}: {sum(found[0].is_on_topic)} of {size}"
            print(f"| {crawl} | {strategy} | {' | '.join(cells)} | {first:.0f} |")
    print(f"\n| mean of crawls | {titles} | first on topic |\n|{'---|' * (len(MARKS) + 2)}")
    for strategy in (BREADTH, BAG, FOCUSED, EVERY, ORACLE):
        cells = []
        for mark in MARKS:
            harvest = table(results, strategy, _after(Order.harvest, mark, sizes))
            recall = table(results, strategy, _after(Order.recall, mark, sizes))
            cells.append(f"{_told(harvest)}, {_told(recall)}")
        firsts = table(results, strategy, _first)
        print(f"| {strategy} | {' | '.join(cells)} | {firsts.mean():.1f} |")


def is_enough(results: Results, sizes: Sizes) -> bool:
    """Print the focused crawl's harvest at a quarter and its first page beside the others'; True where it suffices.

    The ratio that counts is that of mean harvests: the mean of ratios would be ruled by the crawl where a peer brings
    next to nothing.
    """
    is_good = True
    own = table(results, FOCUSED, _after(Order.harvest, AT, sizes))
    first = table(results, FOCUSED, _first)
    for strategy, least in ((BREADTH, OVER_BREADTH), (BAG, OVER_BAG)):
        other = table(results, strategy, _after(Order.harvest, AT, sizes))
        ratio = float(own.mean() / other.mean())
        low, high = interval(own, other)
        each = own.mean(axis=1) / np.maximum(other.mean(axis=1), 1e-9)
        print(
            f"harvest at {AT:.0%}, {FOCUSED} over {strategy}: {ratio:.2f} ({low:.2f} to {high:.2f}); mark {least}; "
            f"crawl by crawl {', '.join(f'{one:.2f}' for one in each)}"
        )
        later = table(results, strategy, _first)
        print(f"first page on topic: {FOCUSED} {first.mean():.1f}, {strategy} {later.mean():.1f}")
        is_good &= ratio >= least and bool(first.mean() <= later.mean())
    return is_good


def table(results: Results, strategy: str, value: Callable[[Order, Crawl], float]) -> Floats:
    """One number of each crawl and repetition."""
    return np.array([[value(order, crawl) for order in by[strategy]] for crawl, by in results.items()])


def _after(
    measure: Callable[[Order, float, int], float], share: float, sizes: Sizes
) -> Callable[[Order, Crawl], float]:
    return lambda order, crawl: measure(order, share, sizes[crawl])


def _first(order: Order, crawl: Crawl) -> float:
    return float(order.first)


def interval(own: Floats, other: Floats | None = None) -> tuple[float, float]:
    """Where 95 % of redrawn means are, or of ratios of means; crawls and repetitions are drawn together.

    >>> interval(np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([[1.0, 1.0], [1.0, 1.0]]))
    (2.0, 2.0)
    """
    rng = np.random.default_rng(0)
    crawls, repetitions = own.shape
    drawn = []
    for _ in range(DRAWS):
        rows = rng.integers(0, crawls, (crawls, 1))
        columns = rng.integers(0, repetitions, (crawls, repetitions))
        mean = own[rows, columns].mean()
        drawn.append(mean if other is None else mean / max(other[rows, columns].mean(), 1e-9))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def _told(values: Floats) -> str:
    low, high = interval(values)
    return f"{values.mean():.3f} ({low:.2f} to {high:.2f})"
