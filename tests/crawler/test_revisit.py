"""Visits follow what a page was seen to do, and stay within bounds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.links.revisit import DAY, FIRST, HOUR, LEAST, MOST, change_rate, next_visit


def visits(gap: float, *hashes: str) -> list[tuple[float, str]]:
    return [(1e9 + n * gap, content) for n, content in enumerate(hashes)]


def wait(history: list[tuple[float, str]]) -> float:
    return next_visit(history) - history[-1][0]


def test_the_first_visit_is_followed_after_the_usual_time():
    assert wait(visits(1, "a")) == FIRST


def test_a_page_that_changes_often_is_visited_more_often():
    always, often = wait(visits(DAY, *"abcdefgh")), wait(visits(DAY, *"aabbccdd"))
    seldom, never = wait(visits(DAY, *"aaaaaaab")), wait(visits(DAY, *"aaaaaaaa"))
    assert HOUR < always < often < seldom < never


def test_a_page_that_never_changes_is_visited_ever_more_seldom():
    history = visits(1, "a")
    waits = []
    for _ in range(10):
        waits.append(wait(history))
        history.append((next_visit(history), "a"))
    assert waits == sorted(waits)
    assert waits[-1] == MOST


def test_a_page_that_begins_to_change_is_seen_to():
    old = visits(30 * DAY, *"a" * 30)
    history = [*old, *((old[-1][0] + n * DAY, str(n)) for n in range(1, 25))]
    assert wait(history) < DAY


@pytest.mark.parametrize("rate_a_day", [0.2, 1.0, 4.0])
def test_the_rate_of_a_page_that_changes_at_random_is_found(rate_a_day):
    rng = random.Random(7)
    found = []
    for _ in range(200):
        changes, at, gap = [], 0.0, DAY / (2 * rate_a_day)
        while at < 20 * gap:
            at += rng.expovariate(rate_a_day / DAY)
            changes.append(at)
        history = [(n * gap, str(sum(change <= n * gap for change in changes))) for n in range(20)]
        found.append(change_rate(history) * DAY)
    assert sum(found) / len(found) == pytest.approx(rate_a_day, rel=0.15)


@given(st.lists(st.tuples(st.floats(0, 4e9), st.sampled_from("abc")), min_size=1, max_size=50))
def test_the_next_visit_is_always_within_bounds(history):
    last = max(at for at, _ in history)
    assert last + LEAST - 1 <= next_visit(history) <= last + MOST + 1


def test_a_late_visit_is_due_now():
    assert next_visit(visits(1, "a"), now=3e9) == 3e9
    assert next_visit([], now=5.0) == 5.0
