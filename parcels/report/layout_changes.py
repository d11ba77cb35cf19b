"""When a site changed its layout: the tag paths that most of its pages have, from day to day."""

from dataclasses import dataclass
from typing import Any

COMMON = 0.5  # share of a day's pages that must have a path for it to be of the site's frame
LEAST_PAGES = 2

QUERY = """
SELECT p.host AS host, CAST(coalesce(p.fetched_at, p.fetched_date) AS DATE) AS day, b.tag_path AS path,
       count(DISTINCT p.page_id) AS pages
FROM blocks b JOIN pages p ON p.page_id = b.page_id AND p.crawl = b.crawl
WHERE p.host IS NOT NULL {where}
GROUP BY ALL
"""
PAGES = """
SELECT p.host AS host, CAST(coalesce(p.fetched_at, p.fetched_date) AS DATE) AS day, count(*) AS pages
FROM pages p WHERE p.host IS NOT NULL {where} GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class Change:
    """How much of a site's frame is new on a day; None on its first."""

    host: str
    day: Any
    pages: int
    change: float | None


def changes(query: Any, where: str, values: list[Any]) -> list[Change]:
    """Every site's days in order: one minus the share of common paths that both days have (Jaccard)."""
    pages = {(row[0], row[1]): row[2] for row in query(PAGES.format(where=where), values)}
    frames: dict[tuple[str, Any], set[str]] = {}
    for host, day, path, count in query(QUERY.format(where=where), values):
        if count >= COMMON * pages[host, day]:
            frames.setdefault((host, day), set()).add(path)
    found = []
    before: dict[str, set[str]] = {}
    for host, day in sorted(pages, key=lambda key: (key[0], key[1])):
        if pages[host, day] < LEAST_PAGES:
            continue
        frame = frames.get((host, day), set())
        last = before.get(host)
        change = None if last is None else 1 - len(last & frame) / max(1, len(last | frame))
        found.append(Change(host, day, pages[host, day], change))
        before[host] = frame
    return found
