"""Both back ends of the frontier, for tests that hold for each of them."""

import itertools

import pytest

from crawler.frontier import open_frontier
from crawler.frontier.contract import FrontierPolicy, Offer

NOW = 1_800_000_000.0
CRAWLS = itertools.count()
QUICK = FrontierPolicy(delay=0.0, concurrency=8, robots=False)


BACK_ENDS = ["sqlite", pytest.param("redis", marks=pytest.mark.redis)]


def back_end(request, tmp_path):
    """A fixture: opens a frontier; called again it opens the same one."""
    opened = []
    crawl = f"test{next(CRAWLS)}"

    def open_it(policy=QUICK, worker="1"):
        if request.param == "redis":
            where = request.getfixturevalue("redis_server").url
        else:
            where = f"{request.param}:{tmp_path / 'frontier.sqlite'}"
        opened.append(open_frontier(where, crawl=crawl, worker=worker, policy=policy))
        return opened[-1]

    open_it.kind = request.param
    yield open_it
    for frontier in opened:
        if not getattr(frontier, "is_killed", False):
            frontier.close()


def offers(*paths, host="a.example", **fields):
    return [Offer(f"http://{host}/{path}", **fields) for path in paths]


def urls(leased):
    return [lease.url for lease in leased.leases]
