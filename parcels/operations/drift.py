"""Drift: changes in the shares of labels of a site over time.

A change of templates shows here first: half of the blocks change from `maincontent` to `sitenav`, or pages lose their
title. The measure is the total variation distance between the shares of labels in a period and in all earlier periods
of the host: 0 is the same, 1 is nothing in common.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, NamedTuple

from parcels.errors import ConfigError
from parcels.query.sql import connect
from parcels.store import Store
from parcels.store.models import current_model

PERIODS = ("day", "week", "month")
MIN_BLOCKS = 50  # fewer blocks give no reliable shares
ALARM = 0.15  # total variation distance; chosen, not measured (docs/operations.md)


_SHARES = """
SELECT p.host, CAST(date_trunc('{period}', p.fetched_date) AS DATE) AS period, l.label, count(*) AS blocks,
       sum(l.confidence) AS confidence, count(DISTINCT l.page_id) AS pages
FROM labels l JOIN pages p ON p.page_id = l.page_id AND p.crawl = l.crawl
WHERE l.model = $model AND p.host IS NOT NULL AND ($host IS NULL OR p.host = $host)
      AND ($crawl IS NULL OR l.crawl = $crawl)
GROUP BY GROUPING SETS ((p.host, period, l.label), (p.host, period))
ORDER BY p.host, period, l.label NULLS FIRST
"""


class Drift(NamedTuple):
    """The change of one host in one period."""

    host: str
    period: dt.date
    pages: int
    blocks: int
    distance: float | None  # None in the first period of a host, or where there are too few blocks
    moved: str  # the label with the largest change of its share, and that change
    confidence: float | None

    @property
    def is_alarming(self) -> bool:
        """Return True if the labels of the host should be checked."""
        return self.distance is not None and self.distance >= ALARM


def drift(
    store: Store, *, period: str = "week", host: str | None = None, model: str | None = None,
    crawl: str | None = None,
) -> list[Drift]:  # fmt: skip
    """Return the drift of every host and period of a store, by host and time.

    Only labels of one model are compared: the given one, or the current one.
    """
    if period not in PERIODS:
        raise ConfigError(f"Unknown period '{period}'. Use one of: {', '.join(PERIODS)}.")
    model = model or current_model(store, "labels", crawl=crawl)
    if model is None:
        return []
    with closing(connect(store)) as connection:
        rows = connection.execute(
            _SHARES.format(period=period), {"model": model, "host": host, "crawl": crawl}
        ).fetchall()
    return list(_measured(rows))


def _measured(rows: Iterable[tuple[Any, ...]]) -> Iterator[Drift]:
    """Yield the drift from sorted rows of host, period, label (None: all), blocks, confidence, pages."""
    groups: dict[tuple[str, dt.date], dict[str | None, tuple[int, float | None, int]]] = {}
    for host, period, label, blocks, confidence, pages in rows:
        groups.setdefault((host, period), {})[label] = (blocks, confidence, pages)
    before: dict[str, dict[str, int]] = {}
    for (host, period), by_label in groups.items():
        blocks, confidence, pages = by_label[None]
        now = {label: row[0] for label, row in by_label.items() if label is not None}
        past = before.setdefault(host, {})
        distance, moved = compare(past, now)
        mean = None if confidence is None else confidence / blocks
        yield Drift(host, period, pages, blocks, distance, moved, mean)
        for label, count in now.items():
            past[label] = past.get(label, 0) + count


def compare(past: dict[str, int], now: dict[str, int]) -> tuple[float | None, str]:
    """Return the distance of two counts of labels, and the label whose share changed most.

    >>> compare({"title": 50, "sitenav": 50}, {"title": 25, "sitenav": 75})
    (0.25, 'sitenav +0.25')
    >>> compare({}, {"title": 100})
    (None, '')
    """
    if min(sum(past.values()), sum(now.values())) < MIN_BLOCKS:
        return None, ""
    labels = sorted({*past, *now})
    change = {
        label: now.get(label, 0) / sum(now.values()) - past.get(label, 0) / sum(past.values()) for label in labels
    }
    most = max(labels, key=lambda label: (abs(change[label]), change[label]))
    return sum(map(abs, change.values())) / 2, f"{most} {change[most]:+.2f}"
