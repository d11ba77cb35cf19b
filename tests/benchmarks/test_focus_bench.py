"""Foundations of the topic benchmarks: cached pages equal fresh ones, and orders are those of the crawler."""

from collections import Counter

import numpy as np
import pytest
from topic_pages import three_universities, university, write_parquet

from benchmarks.experiments.focus_crawl import Order, best_first, breadth_first, crawled, focused, oracle_worth
from benchmarks.experiments.focus_report import interval
from benchmarks.quality.topics_cache import read, write
from benchmarks.quality.topics_data import Web
from crawler.spiders.focused import FocusedLinkPolicy
from parcels.topics.examples import examples
from parcels.topics.train import train_topics

HOST = "www.new.example"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return three_universities(tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    pages = examples([write_parquet(tmp_path_factory.mktemp("new"), university(HOST, seed=9))])
    return Web({example.page.url: example for example in pages}, f"http://{HOST}/")


def test_kept_pages_are_the_same_pages(found, tmp_path):
    write(tmp_path / "pages.gz", found, Counter({"binary": 3}))
    assert read(tmp_path / "pages.gz") == (found, Counter({"binary": 3}))


def test_a_file_that_is_broken_off_is_not_used(found, tmp_path):
    path = tmp_path / "pages.gz"
    write(path, found, Counter())
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(EOFError):
        read(path)


def test_the_crawlers_own_guide_and_frontier_bring_the_topic_before_breadth_first(found, web):
    link_policy = FocusedLinkPolicy(train_topics(found, link_topics=["student"]).focus("student"))
    size = len(web.reachable())
    own, plain = crawled(web, "student", focused(web, link_policy)), crawled(web, "student", breadth_first(web, 0))
    oracle = crawled(web, "student", best_first(web, oracle_worth(web, "student"), 0))
    assert sorted(own.urls) == sorted(plain.urls) == sorted(oracle.urls)  # each reachable page once
    assert size == len(own.urls) == 84
    assert oracle.recall(0.3, size) >= own.recall(0.3, size) > 1.5 * plain.recall(0.3, size)


def test_harvest_recall_and_the_first_page():
    order = Order(["a", "b", "c", "d"], [False, True, False, True])
    assert (order.harvest(0.5, 4), order.recall(0.5, 4), order.first) == (0.5, 0.5, 2)


def test_an_interval_holds_the_mean_and_grows_with_the_spread():
    wide, narrow = np.array([[0.1, 0.2], [0.8, 0.9]]), np.array([[0.49, 0.5], [0.5, 0.51]])
    (low, high), (least, most) = interval(wide), interval(narrow)
    assert low < least < 0.5 < most < high
