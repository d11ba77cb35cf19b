"""A crawl in a process of its own that follows only links to given addresses, and tells the CPU that a page took.

A corpus has but a part of a web, and what it lacks would make two crawls differ by the dead links that they meet.

    python -m benchmarks.speed.focus_child OPTIONS.json ADDRESSES.txt
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crawler.frontier.contract import Lease
from crawler.links.extract import PageLinks
from crawler.links.policy import LinkPolicy
from crawler.options import CrawlOptions
from crawler.run import crawl, make_link_policy

WARM = 20  # pages before the clock is read: a start imports, opens and fills what all later pages use


class Inside:
    """A guide that leaves out links to unknown addresses, and is in all else the guide that it holds."""

    def __init__(self, link_policy: LinkPolicy, known: frozenset[str]):
        self._link_policy, self._known = link_policy, known
        self.pages, self.began = 0, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link_policy, name)

    def scores(self, lease: Lease, found: PageLinks) -> Sequence[float | None]:
        """The guide's scores; None for what is not known."""
        self.pages += 1
        if self.pages == WARM:
            self.began = time.process_time()
        scores = self._link_policy.scores(lease, found)
        return [score if link.target in self._known else None for link, score in zip(found.links, scores, strict=True)]


def main(settings: str, addresses: str) -> None:
    """Crawl, then print pages and milliseconds of CPU a page, of all threads, with what the end of a crawl takes."""
    options = CrawlOptions(**json.loads(Path(settings).read_text()) | {"css": False})
    inside: Any = Inside(make_link_policy(options), frozenset(Path(addresses).read_text().split("\n")))
    crawl(options, link_policy=inside)
    counted = inside.pages - WARM + 1
    spent = time.process_time() - inside.began if counted > 0 else 0.0
    print(json.dumps({"pages": inside.pages, "ms": 1000 * spent / max(counted, 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
