"""Focused crawls over webkb's real link graph: train on the other universities, crawl the one that was held out.

    python -m benchmarks focus

The crawler's own guide and frontier, without a network, five repetitions, tables and a plot; `focus_real` runs the
spider itself.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.experiments.focus_crawl import (
    Order,
    bag_of_words_worth,
    best_first,
    breadth_first,
    crawled,
    focused,
    oracle_worth,
)
from benchmarks.experiments.focus_plot import plot
from benchmarks.experiments.focus_report import BAG, BREADTH, EVERY, FOCUSED, ORACLE, Crawl, is_enough, report
from benchmarks.quality.topics_data import LEAST_REACHABLE, OTHER, UNIVERSITIES, Web, web_of, webkb
from crawler.spiders.focused import FocusedLinkPolicy
from parcels.topics.examples import TopicExample
from parcels.topics.focus import IS_ON_TOPIC, Focus
from parcels.topics.model import TopicModel
from parcels.topics.train import train_topics

REPETITIONS = 5


def main() -> bool:
    found, university = webkb()
    results: dict[Crawl, dict[str, list[Order]]] = {}
    sizes: dict[Crawl, int] = {}
    for name, web, topic, model in tasks(found, university):
        started = time.process_time()
        results[name, topic] = orders(web, topic, model)
        sizes[name, topic] = len(web.reachable())
        print(f"{name} {topic}: {time.process_time() - started:.0f} s of CPU", file=sys.stderr, flush=True)
        print(f"{name} {topic}: {told_doubt(web, model.focus(topic))}", flush=True)
    report(results, sizes)
    plot(results, sizes, Path("build/focus"))
    return is_enough(results, sizes)


def tasks(
    found: list[TopicExample], university: dict[str, str], *, least: int = LEAST_REACHABLE
) -> Iterator[tuple[str, Web, str, TopicModel]]:
    """Each university with each topic that has pages enough, and the model of the others."""
    for name in UNIVERSITIES:
        web = web_of(found, university, name)
        reached = web.reachable()
        counts = Counter(web.pages[url].topic for url in reached)
        wanted = sorted(topic for topic, count in counts.items() if topic != OTHER and count >= least)
        model = train_topics([e for e in found if university[e.name] != name], link_topics=wanted)
        for topic in wanted:
            print(f"{name} {topic}: {counts[topic]} of {len(reached)} reachable pages", file=sys.stderr, flush=True)
            yield name, web, topic, model


def orders(web: Web, topic: str, model: TopicModel) -> dict[str, list[Order]]:
    """The orders of all strategies, a repetition each; what is drawn anew in each is the order among equals.

    In the focused crawl that is the choice of links that are explored.
    """
    bag, oracle = bag_of_words_worth(web, model.mixture, topic), oracle_worth(web, topic)
    repeated = range(REPETITIONS)
    return {
        BREADTH: [crawled(web, topic, breadth_first(web, n)) for n in repeated],
        BAG: [crawled(web, topic, best_first(web, bag, n)) for n in repeated],
        FOCUSED: [crawled(web, topic, focused(web, FocusedLinkPolicy(model.focus(topic, seed=n)))) for n in repeated],
        EVERY: [crawled(web, topic, focused(web, every_page(model, topic, n))) for n in repeated],
        ORACLE: [crawled(web, topic, best_first(web, oracle, n)) for n in repeated],
    }


def every_page(model: TopicModel, topic: str, seed: int) -> FocusedLinkPolicy:
    """A guide that lays every page out, however sure its words are."""
    return FocusedLinkPolicy(model.focus(topic, seed=seed, doubt=0.0))


def told_doubt(web: Web, focus: Focus) -> str:
    """How many reachable pages are laid out, and how many of the others their layout would have judged otherwise."""
    read = [(web.pages[url], focus.as_crawled(web.pages[url].page)) for url in web.reachable()]
    laid = sum(page is example.page for example, page in read)
    otherwise, right, right_laid = 0, 0, 0
    for example, page in read:
        says = focus.chance(page.constituents) >= IS_ON_TOPIC
        says_laid = focus.chance(example.page.constituents) >= IS_ON_TOPIC
        otherwise += says != says_laid
        right += says == (example.topic == focus.topic)
        right_laid += says_laid == (example.topic == focus.topic)
    return (
        f"{laid} of {len(read)} pages laid out; {otherwise} judged otherwise than with the layout of every page; "
        f"judged right {right / len(read):.3f}, with every layout {right_laid / len(read):.3f}"
    )
