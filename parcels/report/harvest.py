"""The section of the report about focused crawls: harvest over pages, the queue by score, hosts."""

import json
from html import escape
from typing import Any

from parcels.errors import InputMissing
from parcels.report.data import Data
from parcels.report.html import empty, para, section, table
from parcels.report.svg import Series, lines
from parcels.topics.focus import IS_ON_TOPIC
from parcels.topics.harvest import Harvest, harvest_curve

TITLE = "Focused crawls"
MOST_CRAWLS = 5
MOST_HOSTS = 15
MOST_POINTS = 200
BANDS = (0.8, 0.6, 0.4, 0.2, 0.1, 0.05, 0.0)  # lower bounds of score bands, the best links first
_LAST_RUNS = """
SELECT crawl, arg_max(settings, started_at), arg_max(counts, started_at) FROM runs
WHERE step = 'crawl' {where} GROUP BY crawl ORDER BY max(started_at) DESC
"""
_QUEUE = """
SELECT best, count(*) FROM (
  SELECT l.target, max(l.score) AS best FROM links l WHERE l.crawl = ? AND l.is_queued AND l.score IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.crawl = l.crawl AND p.url = l.target)
  AND NOT EXISTS (SELECT 1 FROM rejects r WHERE r.crawl = l.crawl AND r.record = l.target)
  GROUP BY l.target
) GROUP BY ALL
"""
_HOSTS = """
SELECT p.host, count(*), count(*) FILTER (WHERE t.chance >= ?) FROM pages p
JOIN (SELECT page_id, max(s.score) AS chance FROM (SELECT page_id, unnest(scores) AS s FROM topics WHERE crawl = ?)
      WHERE s.topic = ? GROUP BY page_id) t USING (page_id)
WHERE p.crawl = ? GROUP BY p.host ORDER BY 3 DESC, 2 DESC LIMIT ?
"""


def focused(data: Data) -> str:
    """Return the section with every focused crawl, the latest first."""
    runs = [(crawl, json.loads(settings), counts) for crawl, settings, counts in data.of_crawl(_LAST_RUNS)]
    shown = [run for run in runs if run[1].get("spider") == "focused"][:MOST_CRAWLS]
    if not shown:
        return section(
            TITLE,
            empty("The store has no focused crawl. To start one: parcels crawl … --spider focused --focus MODEL:TOPIC"),
        )
    return section(TITLE, *(_crawl(data, *run) for run in shown))


def topic_of(settings: dict[str, Any]) -> str:
    """Return the topic of a crawl.

    >>> topic_of({"focus": "models/my-topics:course"}), topic_of({"focus": None, "positive": "good"})
    ('course', 'on-topic')
    """
    return (settings.get("focus") or "").rpartition(":")[2] or "on-topic"


def _crawl(data: Data, crawl: str, settings: dict[str, Any], counts: list[dict[str, Any]]) -> str:
    topic, named = topic_of(settings), {one["name"]: one["count"] for one in counts}
    judged, good = named.get("judged", 0), named.get("on topic", 0)
    own = (
        f" The crawl itself classified {good:,} of {judged:,} pages as on topic ({good / judged:.0%})."
        if judged
        else ""
    )
    parts = [f"<h3>Crawl {escape(repr(crawl))}</h3>", para(f"Topic: '{topic}'.{own}")]
    try:
        curve = harvest_curve(data.store, crawl, topic=topic)
    except InputMissing as error:
        parts.append(empty(f"No curve: {error}"))
    else:
        parts += [para(_words(curve)), _picture(curve), _hosts(data, crawl, topic)]
    parts.append(_queue(data, crawl))
    return "".join(parts)


def _words(curve: Harvest) -> str:
    pages = len(curve.crawled)
    first = max(pages // 4, 1)
    return (
        f"{curve.crawled[-1]:.0%} of {pages:,} classified pages are on topic. Of the first {first:,} pages, "
        f"{curve.crawled[first - 1]:.0%} are on topic; in breadth-first order of the same pages, "
        f"{curve.breadth_first[first - 1]:.0%}. A real breadth-first crawl would fetch other pages, too."
    )


def _picture(curve: Harvest) -> str:
    series = [
        Series("this crawl", _points(curve.crawled), "#1b64c8"),
        Series("breadth-first, same pages", _points(curve.breadth_first), "#7f7f7f"),
    ]
    return lines(series, about="harvest over pages", x="pages fetched", top=1.0, share=True)


def _points(shares: list[float]) -> list[tuple[float, float]]:
    points = [(float(n), share) for n, share in enumerate(shares, 1)]
    return [*points[:: max(1, len(points) // MOST_POINTS)], points[-1]]


def _hosts(data: Data, crawl: str, topic: str) -> str:
    rows = data.rows(_HOSTS, [IS_ON_TOPIC, crawl, topic, crawl, MOST_HOSTS])
    listed = [(host or "", pages, good, good / pages) for host, pages, good in rows]
    return table(("host", "pages", "on topic", "harvest"), listed)


def _queue(data: Data, crawl: str) -> str:
    """Return the number of queued addresses by score."""
    counts = dict.fromkeys(BANDS, 0)
    for score, count in data.rows(_QUEUE, [crawl]):
        counts[next((least for least in BANDS if score >= least), BANDS[-1])] += count
    if not any(counts.values()):
        return para("The queue is empty.")
    listed = [(f"{least:g} and more" if least else f"below {BANDS[-2]:g}", count) for least, count in counts.items()]
    return para("Queued addresses by the score of their links:") + table(("score", "addresses"), listed)
