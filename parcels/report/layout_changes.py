"""Changes of a site's layout: the tag paths that most of its pages share, from day to day."""

from dataclasses import dataclass
from typing import Any

COMMON = 0.5  # share of a day's pages on which a path must occur to belong to the site's frame
MIN_PAGES = 2

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
    """The share of a site's frame that changed on a day; None on the first day."""

    host: str
    day: Any
    pages: int
    change: float | None


def changes(query: Any, where: str, values: list[Any]) -> list[Change]:
    """Return the changes of every site by day: one minus the Jaccard similarity of the common paths of two days."""
    pages = {(row[0], row[1]): row[2] for row in query(PAGES.format(where=where), values)}
    frames: dict[tuple[str, Any], set[str]] = {}
    for host, day, path, count in query(QUERY.format(where=where), values):
        if count >= COMMON * pages[host, day]:
            frames.setdefault((host, day), set()).add(path)
    changed = []
    before: dict[str, set[str]] = {}
    for host, day in sorted(pages, key=lambda key: (key[0], key[1])):
        if pages[host, day] < MIN_PAGES:
            continue
        frame = frames.get((host, day), set())
        last = before.get(host)
        change = None if last is None else 1 - len(last & frame) / max(1, len(last | frame))
        changed.append(Change(host, day, pages[host, day], change))
        before[host] = frame
    return changed
