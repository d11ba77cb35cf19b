"""kill -9 at seeded moments; the full 50 runs are `python -m benchmarks crawl_kill`."""

import pytest

from benchmarks.speed.crawl_kill import run

PAGES = 400
ON_THE_WAY = 16  # requests at once of one process: what a kill can make it fetch again


def check(outcome, *, kills):
    assert (outcome.lost_urls, outcome.lost_rows, outcome.duplicate_rows) == (0, 0, 0), outcome
    assert outcome.refetched * PAGES <= ON_THE_WAY * kills, outcome


def test_a_killed_crawler_loses_no_url_and_no_row():
    check(run(7, pages=PAGES, kills=2, is_redis=False), kills=2)


@pytest.mark.redis
def test_killed_crawlers_and_a_killed_redis_lose_no_url_and_no_row():
    check(run(8, pages=PAGES, kills=2, is_redis=True, processes=2, redis_kills=1), kills=3)
