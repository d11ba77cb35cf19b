"""One suite for both back ends: what a frontier promises."""

import pytest
from frontier_back_ends import BACK_ENDS, NOW, back_end, offers, urls

from crawler.frontier.contract import PAGE, QUEUED, ROBOTS, SEEN, CompletedLease, FrontierPolicy, Offer, ReleasedLease

make = pytest.fixture(params=BACK_ENDS)(back_end)
POLITE = FrontierPolicy(delay=1.0, robots=False)


def test_an_address_is_admitted_once(make):
    frontier = make()
    assert frontier.admit(offers("x", "y", "x"), now=NOW) == QUEUED + QUEUED + SEEN
    assert frontier.admit(offers("y", "z"), now=NOW) == SEEN + QUEUED


def test_everything_about_an_offer_comes_back_with_its_lease(make):
    frontier = make()
    offer = Offer("https://a.example:8443/x?y=1", 0.25, 3, "http://b.example/", "News/World", "f", 2, '{"a":1}')
    frontier.admit([offer], now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    assert lease[2:10] == tuple(offer)
    assert (lease.host, lease.visit, lease.attempt) == ("a.example", 1, 0)


def test_the_best_score_comes_first(make):
    frontier = make()
    for number, host in enumerate(("a.example", "b.example", "c.example")):
        frontier.admit([Offer(f"http://{host}/{n}", priority=number + n / 10) for n in range(3)], now=NOW)
    leased = frontier.lease(4, now=NOW)
    assert urls(leased) == [
        f"http://{host}/{n}" for host, n in (("c.example", 2), ("c.example", 1), ("c.example", 0), ("b.example", 2))
    ]


def test_hosts_with_equal_scores_take_turns(make):
    frontier = make()
    frontier.admit([Offer(f"http://{host}.example/{n}") for host in "abc" for n in range(3)], now=NOW)
    hosts = [lease.host for step in range(9) for lease in frontier.lease(1, now=NOW + step / 100).leases]
    assert all(set(hosts[start : start + 3]) == {"a.example", "b.example", "c.example"} for start in (0, 3, 6))


def test_a_host_is_not_asked_again_before_its_delay(make):
    frontier = make(POLITE)
    frontier.admit(offers("x", "y"), now=NOW)
    (first,) = frontier.lease(9, now=NOW).leases
    assert frontier.lease(9, released=[ReleasedLease(first.token, 0.0)], now=NOW + 0.5).leases == []
    assert frontier.lease(9, now=NOW + 1.4).leases == []  # the delay counts from the answer
    assert len(frontier.lease(9, now=NOW + 1.51).leases) == 1


def test_a_host_that_has_not_answered_is_not_asked_again(make):
    frontier = make(POLITE)
    frontier.admit(offers("x", "y"), now=NOW)
    assert len(frontier.lease(9, now=NOW).leases) == 1
    assert frontier.lease(9, now=NOW + 60).leases == []


def test_as_many_requests_to_a_host_at_once_as_allowed(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=3, robots=False))
    frontier.admit(offers(*range(9)), now=NOW)
    leases = frontier.lease(9, now=NOW).leases
    assert len(leases) == 3
    assert len(frontier.lease(9, released=[ReleasedLease(leases[0].token, 0)], now=NOW).leases) == 1


def test_a_host_that_has_waited_long_goes_first(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=99, patience=5, robots=False))
    frontier.admit([Offer(f"http://rich.example/{n}", priority=9) for n in range(20)], now=NOW)
    frontier.admit([Offer("http://poor.example/", priority=-9)], now=NOW)
    assert {lease.host for lease in frontier.lease(5, now=NOW + 1).leases} == {"rich.example"}
    hosts = [lease.host for step in range(8) for lease in frontier.lease(1, now=NOW + 2 + step).leases]
    assert "poor.example" in hosts


def test_lease_says_how_long_to_wait_and_what_is_left(make):
    frontier = make(POLITE)
    assert frontier.lease(1, now=NOW)[1:] == (None, 0, True)
    frontier.admit(offers("x", "y"), now=NOW)
    leased = frontier.lease(9, now=NOW)
    assert leased.pending == 2
    leased = frontier.lease(9, released=[ReleasedLease(leased.leases[0].token, 0.0)], now=NOW + 0.25)
    assert leased.wait == pytest.approx(1.0, abs=0.01)


def test_done_admits_the_links_and_gives_a_receipt_twice(make):
    frontier = make()
    frontier.admit(offers("x"), now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    finished = [CompletedLease(lease, offers("x", "y", "z"))]
    first = frontier.done(finished, segment="s1", now=NOW)
    assert first == [(lease.token, SEEN + QUEUED + QUEUED)]
    assert frontier.done(finished, segment="s1", now=NOW) == first
    assert frontier.receipts("s1") == {lease.token: "sqq"}
    frontier.delete_receipts("s1")
    assert frontier.receipts("s1") == {}
    assert frontier.stats().done == 1


def test_an_expired_lease_is_leased_again_and_the_old_token_is_void(make):
    frontier = make()
    frontier.admit(offers("x"), now=NOW)
    (old,) = frontier.lease(1, now=NOW).leases
    assert frontier.lease(1, now=NOW + 299).leases == []
    (new,) = frontier.lease(1, now=NOW + 301).leases
    assert (new.url, new.visit) == (old.url, old.visit)
    assert new.token != old.token
    assert frontier.done([CompletedLease(old)], segment="s", now=NOW + 302) == [(old.token, None)]
    assert frontier.done([CompletedLease(new)], segment="s", now=NOW + 302) == [(new.token, "")]
    assert frontier.done([CompletedLease(old)], segment="s", now=NOW + 303) == [(old.token, None)]


def test_a_lease_given_back_is_leased_again_after_its_wait(make):
    frontier = make()
    frontier.admit(offers("x"), now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    assert frontier.give_back(lease, wait=10, now=NOW)
    assert not frontier.give_back(lease, wait=10, now=NOW)
    leased = frontier.lease(1, now=NOW + 9)
    assert (leased.leases, leased.pending) == ([], 1)
    assert leased.wait == pytest.approx(1, abs=0.01)
    (again,) = frontier.lease(1, now=NOW + 11).leases
    assert again.attempt == 1


def test_a_dead_letter_keeps_its_reason(make):
    frontier = make()
    frontier.admit(offers("x"), now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    frontier.done([CompletedLease(lease, dead="http-404")], segment="s", now=NOW)
    assert frontier.explain("http://a.example/x").state == "dead"
    assert "http-404" in frontier.explain("http://a.example/x").detail
    assert frontier.stats().dead == {"http-404": 1}
    assert frontier.admit(offers("x"), now=NOW) == SEEN


def test_a_revisit_is_a_new_visit_with_what_was_remembered(make):
    frontier = make()
    frontier.admit(offers("x"), now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    frontier.done([CompletedLease(lease, revisit_in=3600, extra='{"etag":"e"}')], segment="s", now=NOW)
    leased = frontier.lease(1, now=NOW + 3599)
    assert (leased.leases, leased.pending) == ([], 0)  # it does not keep the crawl open
    (again,) = frontier.lease(1, now=NOW + 3601).leases
    assert (again.visit, again.extra) == (2, '{"etag":"e"}')


def test_robots_comes_first_and_holds_its_host(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=4))
    frontier.admit(offers("x", "y"), now=NOW)
    (robots,) = frontier.lease(9, now=NOW).leases
    assert (robots.url, robots.kind) == ("http://a.example/robots.txt", ROBOTS)
    assert frontier.lease(9, released=[ReleasedLease(robots.token, 0)], now=NOW + 1).leases == []
    assert frontier.robots("http://a.example") is None
    assert frontier.set_robots(robots, '{"status":200}', delay=5.0, now=NOW + 2)
    assert frontier.robots("http://a.example") == '{"status":200}'
    assert frontier.lease(9, now=NOW + 6).leases == []
    assert len(frontier.lease(9, now=NOW + 7.1).leases) == 1
    assert frontier.lease(9, now=NOW + 11).leases == []  # Crawl-delay holds between pages too


def test_robots_that_fails_keeps_its_host_closed_until_the_next_attempt(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=4))
    frontier.admit(offers("x"), now=NOW)
    (robots,) = frontier.lease(9, now=NOW).leases
    frontier.give_back(robots, wait=60, now=NOW)
    assert frontier.lease(9, now=NOW + 59).leases == []
    (again,) = frontier.lease(9, now=NOW + 61).leases
    assert (again.kind, again.attempt) == (ROBOTS, 1)


def test_robots_is_asked_for_once_an_origin_and_again_on_request(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=4))
    frontier.admit([Offer("http://a.example/x"), Offer("https://a.example/x")], now=NOW)
    kinds = []
    for step in range(4):
        (lease,) = frontier.lease(1, now=NOW + step).leases
        kinds.append(lease.kind)
        if lease.kind == ROBOTS:
            frontier.set_robots(lease, "{}", delay=None, now=NOW + step)
        else:
            frontier.done([CompletedLease(lease)], segment="s", now=NOW + step)
    assert kinds == [ROBOTS, ROBOTS, PAGE, PAGE]
    frontier.requeue_robots("http://a.example", now=NOW + 9)
    assert [lease.kind for lease in frontier.lease(9, now=NOW + 9).leases] == [ROBOTS]


def test_retry_after_closes_a_host_for_a_while(make):
    frontier = make()
    frontier.admit(offers("x", "y"), now=NOW)
    frontier.slow_down("a.example", wait=30, now=NOW)
    assert frontier.lease(1, now=NOW + 29).leases == []
    assert len(frontier.lease(1, now=NOW + 31).leases) == 1


def test_budgets_stop_traps(make):
    frontier = make(FrontierPolicy(delay=0, robots=False, host_budget=5, prefix_budget=3, max_depth=4, max_url=60))
    assert frontier.admit(offers(*(f"calendar/{n}" for n in range(4))), now=NOW) == "qqqp"
    assert frontier.admit(offers("a", "b", "c"), now=NOW) == "qqh"
    assert frontier.admit(offers("deep", depth=5), now=NOW) == "d"
    assert frontier.admit(offers("x" * 60), now=NOW) == "l"
    assert frontier.admit(offers("a/a/a/a/a/"), now=NOW) == "r"
    assert frontier.stats().refused == {
        "prefix-budget": 1, "host-budget": 1, "too-deep": 1, "too-long": 1, "repeating-segments": 1
    }  # fmt: skip
    assert frontier.explain("http://a.example/other").state == "refused"


def test_all_queued_addresses_get_new_scores(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=99, robots=True))
    frontier.admit([*offers(*range(50)), *offers(*range(50), host="b.example")], now=NOW)
    changed = frontier.rescore(lambda some: [float(offer.url.rpartition("/")[2]) for offer in some], batch=7)
    assert changed == 98
    for lease in frontier.lease(9, now=NOW).leases:
        assert lease.kind == ROBOTS
        frontier.set_robots(lease, "{}", delay=None, now=NOW)
    assert {url.rpartition("/")[2] for url in urls(frontier.lease(4, now=NOW + 1))} == {"49", "48"}
    assert sum(len(some) for some in frontier.queued()) == 96


def test_why_tells_every_state(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=9, robots=False))
    frontier.admit(offers("queued", "leased", "done", "retrying"), now=NOW)
    frontier.rescore(lambda some: [0.0 if "queued" in offer.url else 1.0 for offer in some])
    for lease in frontier.lease(3, now=NOW).leases:
        if lease.url.endswith("done"):
            frontier.done([CompletedLease(lease)], segment="s", now=NOW)
        elif lease.url.endswith("retrying"):
            frontier.give_back(lease, wait=9, now=NOW)
    for state in ("queued", "leased", "done", "retrying"):
        assert frontier.explain(f"http://a.example/{state}").state == state
    assert frontier.explain("http://never.example/").state == "unknown"


def test_a_new_process_finds_everything(make):
    frontier = make()
    frontier.admit(offers(*range(5)), now=NOW)
    first, second, third, *_ = frontier.lease(3, now=NOW).leases
    frontier.done([CompletedLease(first, offers("new"))], segment="s", now=NOW)
    kill(frontier)
    frontier = make(worker="2")
    # Its rows were durable, its acknowledgement was not: it counts, since nobody else has the address.
    assert frontier.done([CompletedLease(second, offers("other"))], segment="s", now=NOW) == [(second.token, "q")]
    assert frontier.receipts("s") == {first.token: "q", second.token: "q"}
    frontier.reclaim("1", now=NOW)
    left = set(urls(frontier.lease(9, now=NOW)))
    assert left == {third.url, "http://a.example/new", "http://a.example/other"} | {
        f"http://a.example/{n}" for n in range(5)
    } - {first.url, second.url}


def test_what_is_remembered_is_not_fetched(make):
    frontier = make()
    assert frontier.mark_done(["http://a.example/x", "http://a.example/y", "http://a.example/x"]) == 2
    assert frontier.admit(offers("x", "z"), now=NOW) == SEEN + QUEUED
    assert frontier.explain("http://a.example/y").state == "done"


def test_many_addresses_are_told_apart(make):
    frontier = make()
    many = [Offer(f"http://h{n % 50}.example/{n}") for n in range(5000)]
    assert frontier.admit(many, now=NOW) == QUEUED * 5000
    assert frontier.admit(many, now=NOW) == SEEN * 5000
    assert frontier.explain("http://h7.example/57").state == "queued"
    assert frontier.stats()[:5] == (5000, 0, 0, 0, 5000)


@pytest.mark.parametrize("exact", [True])
def test_exact_keys_work_the_same(make, exact):
    frontier = make(FrontierPolicy(delay=0, concurrency=9, robots=False, exact=exact))
    many = [Offer(f"http://h.example/{n}") for n in range(2000)]
    assert frontier.admit(many, now=NOW) == QUEUED * 2000
    assert frontier.admit(many, now=NOW) == SEEN * 2000
    (lease,) = frontier.lease(1, now=NOW).leases
    assert frontier.done([CompletedLease(lease)], segment="s", now=NOW)[0].outcomes == ""
    assert frontier.explain(lease.url).state == "done"
    assert frontier.rescore(lambda some: [1.0] * len(some)) == 1999


def kill(frontier):
    """Leave the frontier as after kill -9: nothing is committed, the locks are gone."""
    import os

    frontier.is_killed = True
    if hasattr(frontier, "_db"):
        frontier._db.execute("ROLLBACK")
        frontier._db.close()
        os.close(frontier._lock)
    else:
        frontier.close()


def test_what_is_kept_is_there_after_a_restart(make):
    frontier = make()
    assert frontier.load_value("guide") is None
    frontier.save_value("guide", b"\0one")
    frontier.save_value("guide", b"\0two")
    frontier.close()
    frontier.is_killed = True
    assert make().load_value("guide") == b"\0two"


def test_a_dead_letter_says_why(make):
    frontier = make()
    frontier.admit(offers("x", "y"), now=NOW)
    one, two = sorted(frontier.lease(2, now=NOW).leases, key=lambda lease: lease.url)
    frontier.done(
        [CompletedLease(one, dead="not-canonical http://a.example/y"), CompletedLease(two)], segment="s", now=NOW
    )
    assert frontier.dead_reason(one.url) == "not-canonical http://a.example/y"
    assert frontier.dead_reason(two.url) is None
    assert frontier.stats().dead == {"not-canonical": 1}


def test_an_abandoned_frontier_is_as_that_of_a_dead_process(make):
    frontier = make()
    frontier.admit(offers("x", "y"), now=NOW)
    one, two = frontier.lease(2, now=NOW).leases
    frontier.done([CompletedLease(one)], segment="s", now=NOW)
    frontier.abandon()
    frontier.is_killed = True
    again = make(worker="2")
    again.reclaim("1", now=NOW)
    assert urls(again.lease(9, now=NOW + 1)) == [two.url]


def test_the_delay_counts_from_the_answer_also_where_a_lease_ends_at_once(make):
    frontier = make(POLITE)
    frontier.admit(offers("x", "y", "z"), now=NOW)
    (first,) = frontier.lease(9, now=NOW).leases
    frontier.done(
        [CompletedLease(first)], segment="s", now=NOW + 5
    )  # before anybody has said that the host has answered
    assert frontier.lease(9, released=[ReleasedLease(first.token, 0.0)], now=NOW + 5.9).leases == []
    (second,) = frontier.lease(9, now=NOW + 6.01).leases
    frontier.give_back(second, wait=60.0, now=NOW + 9)
    assert frontier.lease(9, now=NOW + 9.9).leases == []
    assert len(frontier.lease(9, now=NOW + 10.01).leases) == 1


def bury(frontier, dead):
    """Lease all that is queued and end it as dead letters, with the reasons that are given by address."""
    leases = frontier.lease(99, now=NOW).leases
    frontier.done([CompletedLease(lease, dead=dead[lease.url]) for lease in leases], segment="s", now=NOW)
    return {lease.url: lease for lease in leases}


def test_dead_letters_are_queued_again_by_reason_by_host_or_all(make):
    frontier = make()
    frontier.admit([*offers("x", "y"), *offers("x", host="b.example")], now=NOW)
    reasons = {
        "http://a.example/x": "dns",
        "http://a.example/y": "not-canonical http://a.example/",
        "http://b.example/x": "dns",
    }
    bury(frontier, reasons)
    assert frontier.retry(reasons=["timeout"], now=NOW) == 0
    assert frontier.retry(reasons=["dns", "timeout"], host="b.example", now=NOW) == 1
    assert frontier.stats().dead == {"dns": 1, "not-canonical": 1}
    assert urls(frontier.lease(9, now=NOW + 1)) == ["http://b.example/x"]
    assert frontier.retry(reasons=["not-canonical"], now=NOW) == 1
    assert frontier.retry(host="a.example", now=NOW) == 1  # the other one is queued already
    assert frontier.retry(now=NOW) == 0
    assert set(urls(frontier.lease(9, now=NOW + 1))) == {"http://a.example/x", "http://a.example/y"}
    assert frontier.stats().dead == {}


def test_a_dead_letter_that_is_queued_again_is_as_it_was(make):
    frontier = make()
    offer = Offer("https://a.example:8443/x?y=1", 0.25, 3, "http://b.example/", "News/World", "f", 2, '{"a":1}')
    frontier.admit([offer], now=NOW)
    before = bury(frontier, {offer.url: "refused"})[offer.url]
    assert frontier.retry(attempt=3, now=NOW) == 1
    (lease,) = frontier.lease(1, now=NOW + 1).leases
    assert lease[1:11] == before[1:11]
    assert lease.attempt == 3
    assert frontier.done([CompletedLease(before)], segment="t", now=NOW + 2) == [
        (before.token, None)
    ]  # its token is void
    assert frontier.done([CompletedLease(lease)], segment="t", now=NOW + 2) == [(lease.token, "")]


def test_a_crawl_is_idle_where_all_that_is_left_waits_for_another_attempt(make):
    frontier = make(FrontierPolicy(delay=1, concurrency=1))
    frontier.admit([*offers("x", "y"), *offers("x", host="b.example")], now=NOW)
    one, two = frontier.lease(9, now=NOW).leases  # both robots.txt: their hosts are closed until they are known
    assert not frontier.lease(0, now=NOW).is_idle
    frontier.give_back(one, wait=60, now=NOW)
    assert not frontier.lease(9, now=NOW + 2).is_idle
    frontier.give_back(two, wait=60, now=NOW)
    leased = frontier.lease(9, now=NOW + 3)
    assert (leased.is_idle, leased.pending) == (True, 5)
    again = frontier.lease(9, now=NOW + 61)
    assert (len(again.leases), again.is_idle) == (2, False)


def test_robots_that_was_given_up_has_all_its_attempts_when_it_is_asked_for_again(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=4))
    frontier.admit(offers("x"), now=NOW)
    (robots,) = frontier.lease(9, now=NOW).leases
    frontier.give_back(robots, wait=1, now=NOW)
    (robots,) = frontier.lease(9, now=NOW + 2).leases
    frontier.set_robots(robots, "{}", delay=None, now=NOW + 2)
    frontier.requeue_robots("http://a.example", now=NOW + 3)
    (again,) = frontier.lease(9, now=NOW + 4).leases
    assert (again.kind, again.attempt) == (ROBOTS, 0)


def test_what_waits_for_another_attempt_can_be_made_due_at_once(make):
    frontier = make(FrontierPolicy(delay=0, concurrency=4))
    frontier.make_due()  # nothing waits
    frontier.admit(offers("x"), now=NOW)
    (robots,) = frontier.lease(9, now=NOW).leases
    frontier.give_back(robots, wait=3600, now=NOW)
    frontier.make_due(PAGE)
    assert frontier.lease(9, now=NOW + 1).leases == []
    frontier.make_due(ROBOTS)
    (again,) = frontier.lease(9, now=NOW + 1).leases
    assert (again.url, again.attempt) == (robots.url, 1)
