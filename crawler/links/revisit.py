"""Schedule revisits: often for pages that change often, rarely for pages that never change, within bounds."""

import math
from collections.abc import Sequence
from itertools import pairwise

HOUR, DAY = 3600.0, 86400.0
FIRST, LEAST, MOST = DAY, HOUR, 30 * DAY
LAST_VISITS = 20  # older visits say little about how often a page changes now


def change_rate(history: Sequence[tuple[float, str]]) -> float | None:
    """Return the changes per second, from visits (time, content hash) in order, or None for fewer than two.

    A visit sees only whether the page changed since the last one, not how often: simply counting changes misses those
    in between. This is the estimator of Cho and Garcia-Molina (2003), -log((n - x + 0.5) / (n + 0.5)) over
    the mean interval, for n intervals of which x saw a change; unlike the plain one it is finite when all of them did.

    >>> round(change_rate([(0, "a"), (3600, "b"), (7200, "b"), (10800, "c")]) * 3600, 2)
    0.85
    """
    visits = sorted(history)[-LAST_VISITS:]
    count = len(visits) - 1
    if count < 1 or visits[-1][0] <= visits[0][0]:
        return None
    changes = sum(one[1] != two[1] for one, two in pairwise(visits))
    mean_seconds = (visits[-1][0] - visits[0][0]) / count
    return -math.log((count - changes + 0.5) / (count + 0.5)) / mean_seconds


def next_visit(
    history: Sequence[tuple[float, str]], *, now: float | None = None, first: float = FIRST, least: float = LEAST,
    most: float = MOST,
) -> float:  # fmt: skip
    """Return when (seconds since 1970) to revisit a page with these visits and content hashes.

    After the first visit: `first` seconds. After that when the next change is due on average, but no sooner than
    `least` and no later than `most` after the last visit. For a page that has not changed yet, the wait is twice the
    time between its first and last visit, so its visits become rarer. With `now`, never earlier than that.

    >>> next_visit([(0.0, "a")]) == DAY
    True
    >>> next_visit([(0.0, "a"), (DAY, "a")]) / DAY, next_visit([(0.0, "a"), (60.0, "b")])
    (3.0, 3660.0)
    """
    if not history:
        return now or 0.0
    visits = sorted(history)
    last = visits[-1][0]
    rate = change_rate(visits)
    if rate is None:
        wait = first
    elif rate <= 0:
        wait = 2 * (last - visits[-LAST_VISITS:][0][0])
    else:
        wait = 1 / rate
    due = last + min(max(wait, least), most)
    return due if now is None else max(due, now)
