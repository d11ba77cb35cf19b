"""A clock that jumps: leases, delays and retries go on as if it had not."""

import time

import pytest
from frontier_back_ends import offers

from crawler.frontier import open_frontier
from crawler.frontier.clock import MAX_WAIT_SECONDS, SteadyClock
from crawler.frontier.contract import FrontierPolicy, ReleasedLease

POLITE = FrontierPolicy(delay=1.0, robots=False)
HOUR = 3600.0


class Machine:
    """Wall time that can be set, and seconds that pass."""

    def __init__(self):
        self.wall, self.passed = time.time(), 50.0

    def sleep(self, seconds):
        self.wall += seconds
        self.passed += seconds


@pytest.mark.parametrize("jump", [HOUR, -HOUR, -10 * 365 * 24 * HOUR])
def test_a_jump_while_a_crawl_runs_changes_nothing(tmp_path, jump):
    machine = Machine()
    frontier = open_frontier(f"sqlite:{tmp_path / 'frontier.sqlite'}", crawl="c", policy=POLITE)
    frontier._clock = SteadyClock(lambda: machine.wall, lambda: machine.passed)
    frontier.admit(offers("x", "y"))
    (lease,) = frontier.lease(9).leases
    machine.wall += jump
    machine.sleep(0.5)
    assert frontier.lease(9, released=[ReleasedLease(lease.token, 0.0)]).leases == []  # not expired, and not impolite
    machine.sleep(1.1)
    assert len(frontier.lease(9).leases) == 1  # and not left alone for an hour
    frontier.close()


def test_a_clock_that_was_ahead_in_the_last_run_keeps_no_host_and_no_retry_waiting(tmp_path):
    ahead = time.time() + 10 * 365 * 24 * HOUR
    where = f"sqlite:{tmp_path / 'frontier.sqlite'}"
    frontier = open_frontier(where, crawl="c", policy=POLITE)
    frontier.admit(offers("x", "y"), now=ahead)
    (lease,) = frontier.lease(9, now=ahead).leases
    frontier.slow_down("a.example", wait=60.0, now=ahead)
    frontier.give_back(lease, wait=60.0, now=ahead)
    frontier.close()
    frontier = open_frontier(where, crawl="c", policy=FrontierPolicy(delay=0.0, concurrency=2, robots=False))
    assert len(frontier.lease(9, now=time.time() + MAX_WAIT_SECONDS + 1).leases) == 2
    frontier.close()


@pytest.mark.redis
def test_a_server_whose_clock_is_set_back_goes_on_from_where_it_was(redis_server):
    frontier = open_frontier(redis_server.url, crawl="set back", worker="1", policy=POLITE)
    numbers = frontier._key("numbers")
    frontier._server.hset(numbers, "clock_ahead", int(10 * 365 * 24 * HOUR))  # so far ahead is the server's clock now
    frontier.admit(offers("x", "y"))
    (lease,) = frontier.lease(9).leases
    frontier._server.hset(numbers, "clock_ahead", 0)  # and now it is right
    waiting = frontier.lease(9, released=[ReleasedLease(lease.token, 0.0)])
    assert waiting.leases == []
    assert waiting.wait <= 4.0  # a delay, and what the whole seconds of the clock are off
    time.sleep(waiting.wait + 0.1)
    assert len(frontier.lease(9).leases) == 1
    frontier.close()
