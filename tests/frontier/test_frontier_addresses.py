"""Many hosts on one machine are asked like few: politeness by network address, in both back ends."""

import itertools

import pytest
from frontier_back_ends import BACK_ENDS, NOW, back_end, offers

from crawler.frontier.contract import NOT_ASKED, CompletedLease, FrontierPolicy, ReleasedLease

make = pytest.fixture(params=BACK_ENDS)(back_end)
SHARED = FrontierPolicy(delay=1.0, per_address=2, robots=False)


def located(frontier, hosts, address="192.0.2.1", *, now=NOW):
    """Hosts whose network address is known, with one page fetched of each, and some more queued."""
    for n, host in enumerate(hosts):
        at = now - 60 + 2 * n
        frontier.admit(offers("first", host=host), now=at)
        (lease,) = frontier.lease(1, now=at).leases
        assert not lease.is_located
        assert frontier.set_address(lease, address, now=at)
        frontier.lease(0, released=[ReleasedLease(lease.token, 0.0)], now=at + 0.1)
        frontier.done([CompletedLease(lease)], segment="s", now=at + 0.2)
    for host in hosts:
        frontier.admit(offers(*range(5), host=host), now=now - 1)


def test_hosts_of_one_address_share_what_it_may_be_asked(make):
    frontier = make(SHARED)
    located(frontier, [f"h{n}.example" for n in range(6)])
    times = []
    for tenth in range(60):
        now = NOW + tenth / 10
        leased = frontier.lease(9, now=now)
        times += [now] * len(leased.leases)
        assert all(lease.is_located for lease in leased.leases)
        frontier.lease(0, released=[ReleasedLease(lease.token, 0.0) for lease in leased.leases], now=now)
    gaps = [two - one for one, two in itertools.pairwise(times)]
    assert min(gaps) >= 0.5 - 1e-3  # the delay of a host, shared by two
    assert 11 <= len(times) <= 12
    assert 0.0 < leased.wait <= 0.5 or leased.leases


def test_an_address_has_no_more_requests_at_once_than_allowed(make):
    frontier = make(FrontierPolicy(delay=0.0, concurrency=1, per_address=2, robots=False))
    located(frontier, ["a.example", "b.example", "c.example"])
    first = frontier.lease(9, now=NOW).leases
    assert len(first) == 2
    assert frontier.lease(9, now=NOW + 30).leases == []
    (third,) = frontier.lease(9, released=[ReleasedLease(first[0].token, 0.0)], now=NOW + 31).leases
    assert {lease.host for lease in (*first, third)} == {"a.example", "b.example", "c.example"}  # they take turns


def test_hosts_of_other_addresses_are_not_held_up(make):
    frontier = make(SHARED)
    located(frontier, [f"h{n}.example" for n in range(6)])
    located(frontier, ["other.example"], "192.0.2.2", now=NOW + 10)
    frontier.admit(offers("x", host="new.example"), now=NOW)
    hosts = {lease.host for lease in frontier.lease(99, now=NOW + 10).leases}
    assert len(hosts) == 3
    assert {"other.example", "new.example"} <= hosts


def test_a_host_found_at_a_busy_address_is_not_asked_yet(make):
    frontier = make(SHARED)
    located(frontier, ["a.example"])
    frontier.admit(offers("x", host="b.example"), now=NOW)
    leases = {lease.host: lease for lease in frontier.lease(9, now=NOW).leases}
    assert leases["a.example"].is_located
    assert not leases["b.example"].is_located
    assert not frontier.set_address(leases["b.example"], "192.0.2.1", now=NOW + 0.01)
    assert frontier.done([CompletedLease(leases["a.example"])], segment="s", now=NOW + 0.02)[0].outcomes == ""
    assert "b.example" not in [lease.host for lease in frontier.lease(9, now=NOW + 0.4).leases]
    (again,) = [lease for lease in frontier.lease(9, now=NOW + 0.51).leases if lease.host == "b.example"]
    assert (again.url, again.visit, again.attempt) == ("http://b.example/x", 1, 0)
    assert again.is_located


def test_a_host_that_has_moved_leaves_the_queue_of_its_old_address(make):
    frontier = make(FrontierPolicy(delay=0.0, concurrency=2, per_address=1, robots=False))
    located(frontier, ["a.example", "b.example"])
    later = NOW + 4000  # both are looked up again
    one, two = frontier.lease(2, now=later).leases
    assert not one.is_located
    assert frontier.set_address(one, "192.0.2.7", now=later)
    assert frontier.set_address(two, "192.0.2.1", now=later)
    left = frontier.lease(99, now=later + 1).leases
    released = [ReleasedLease(lease.token, 0.0) for lease in (one, two, *left)]
    fetched = {lease.url for lease in (one, two, *left)}
    for n in range(20):
        leases = frontier.lease(99, released=released, now=later + 2 + n).leases
        released = [ReleasedLease(lease.token, 0.0) for lease in leases]
        assert not fetched & {lease.url for lease in leases}
        fetched |= {lease.url for lease in leases}
    assert len(fetched) == 10


def test_where_nobody_looks_at_addresses_all_hosts_count_as_located(make):
    frontier = make(FrontierPolicy(delay=0.0, per_address=0, robots=False))
    frontier.admit(offers("x"), now=NOW)
    assert frontier.lease(1, now=NOW).leases[0].is_located


def test_a_host_that_was_not_asked_does_not_keep_its_address_busy(make):
    frontier = make(SHARED)
    located(frontier, ["a.example"])
    for step in range(5):  # robots.txt forbids them all
        (lease,) = frontier.lease(9, now=NOW + step / 100).leases
        frontier.lease(0, released=[ReleasedLease(lease.token, NOT_ASKED)], now=NOW + step / 100)
        frontier.done([CompletedLease(lease, dead="robots")], segment="s", now=NOW + step / 100)
    assert frontier.stats().dead == {"robots": 5}


def test_an_address_that_is_asked_one_by_one_rests_after_each_answer(make):
    frontier = make(FrontierPolicy(delay=1.0, per_address=1, robots=False))
    located(frontier, ["a.example", "b.example"], now=NOW)
    (first,) = frontier.lease(9, now=NOW).leases
    assert frontier.lease(9, released=[ReleasedLease(first.token, 0.0)], now=NOW + 5).leases == []
    assert frontier.lease(9, now=NOW + 5.9).leases == []
    (second,) = frontier.lease(9, now=NOW + 6.01).leases
    assert second.host != first.host
