"""Several crawler processes on one Redis, here as several runs in one process: who has what, and what it costs."""

import itertools
import os

import pytest
import redis
from crawl_loop import fetch_all, links, options, site, step

from crawler.frontier.contract import FrontierPolicy, Offer
from crawler.frontier.redis import RedisFrontier
from crawler.run import CrawlRun
from parcels.errors import ConfigError
from parcels.store import open_store

pytestmark = pytest.mark.redis
HOME = "http://a.example/"
PAGES = {HOME: links(*(f"/{n}" for n in range(30)))} | {
    f"http://a.example/{n}": links("/", "/3") + " ".join(chr(97 + n) * k for k in range(1, 9)) for n in range(30)
}
WEB = site(PAGES)
NAMES = itertools.count()


@pytest.fixture
def given(tmp_path, redis_server):
    name = f"crawl{os.getpid()}.{next(NAMES)}"

    def make(**fields):
        return options(tmp_path, seeds=(HOME,), robots=False, frontier=redis_server.url, crawl=name, **fields)

    return make


def rows_are_right(tmp_path):
    rows = open_store(tmp_path / "store").read("pages", columns=["url"]).to_pylist()
    assert len(rows) == len({row["url"] for row in rows}) == len(PAGES)


def test_the_work_of_a_dead_process_is_adopted_by_a_living_one(tmp_path, given):
    living, dying = CrawlRun(given()), CrawlRun(given())
    fetched = [step(dying, WEB) for _ in range(9)]  # in its spool, not settled; and it has leased more
    os.close(dying.sink._spool._lock)  # as the system does for a dead process
    asked = []
    living.session._next_adopt_at = 0.0
    while living.session.is_busy:
        living.session.tick()
        lease = step(living, WEB)
        asked += [lease.url] if lease else []
    living.close()
    assert not {lease.url for lease in fetched} & set(asked)
    rows_are_right(tmp_path)


def test_a_process_that_slept_too_long_is_overtaken_and_its_rows_are_void(tmp_path, given):
    sleeper = CrawlRun(given(lease_seconds=0.0))
    step(sleeper, WEB)
    assert sleeper.sink.unsettled == 1
    other = CrawlRun(given())
    fetch_all(other, WEB)
    sleeper.close()
    assert sleeper.sink.counts["overtaken"] >= 1
    rows_are_right(tmp_path)


def test_two_processes_share_the_work(tmp_path, given):
    runs = [CrawlRun(given(concurrency=16)) for _ in range(2)]
    counts = [0, 0]
    while any(run.session.is_busy for run in runs):
        for n, run in enumerate(runs):
            run.session._next_lease_at = 0.0  # time passes
            counts[n] += step(run, WEB) is not None
    for run in runs:
        run.close()
    assert min(counts) > 0
    assert sum(counts) == len(PAGES)
    rows_are_right(tmp_path)


def test_a_page_takes_at_most_three_round_trips(given):
    run = CrawlRun(given())
    before = run.frontier.round_trips
    fetch_all(run, WEB)
    assert run.frontier.round_trips - before <= 3 * len(PAGES)


def test_addresses_take_little_memory(redis_server):
    count = 40_000
    client = redis.Redis.from_url(redis_server.url)
    frontier = RedisFrontier.open(redis_server.url, crawl=f"bytes{os.getpid()}", policy=FrontierPolicy(robots=False))
    before = client.info("memory")["used_memory"]
    frontier.mark_done([f"http://h{n % 10}.example/{n}" for n in range(count)])
    seen = (client.info("memory")["used_memory"] - before) / count
    before = client.info("memory")["used_memory"]
    for start in range(0, count, 2000):
        frontier.admit(
            [
                Offer(f"http://h{n % 10}.example/news/2024/story-{n}.html", n / count, 3, HOME)
                for n in range(start, start + 2000)
            ]
        )
    queued = (client.info("memory")["used_memory"] - before) / count - seen
    assert seen <= 20
    assert queued <= 250
    buckets = client.keys(f"parcels:{{bytes{os.getpid()}}}:s:*")
    assert {client.object("encoding", name) for name in buckets} == {b"intset"}


def test_a_crawl_is_continued_as_it_was_begun(given, redis_server):
    name = f"exact{os.getpid()}"
    RedisFrontier.open(redis_server.url, crawl=name, policy=FrontierPolicy(exact=True)).close()
    with pytest.raises(ConfigError, match="started with --exact"):
        RedisFrontier.open(redis_server.url, crawl=name)


def test_a_server_that_is_not_there_is_told(monkeypatch):
    import crawler.frontier.redis
    from parcels.errors import RetryLater

    monkeypatch.setattr(crawler.frontier.redis, "OUTAGE_SECONDS", 0.0)
    with pytest.raises(RetryLater, match="does not answer"):
        RedisFrontier.open("redis://127.0.0.1:1/0", crawl="x")
