"""A crawl in a process of its own that follows only links to given addresses: a corpus has but a part of a web, and
what it lacks would make two crawls differ by the dead links that they meet.

    python -m benchmarks.focus_child OPTIONS.json ADDRESSES.txt
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crawler.frontier.contract import Lease
from crawler.guides import Guide
from crawler.links import PageLinks
from crawler.options import CrawlOptions
from crawler.run import crawl, make_guide


class Inside:
    """A guide that leaves out links to unknown addresses, and is in all else the guide that it holds."""

    def __init__(self, guide: Guide, known: frozenset[str]):
        self._guide, self._known = guide, known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._guide, name)

    def scores(self, lease: Lease, found: PageLinks) -> Sequence[float | None]:
        """The guide's scores; None for what is not known."""
        scores = self._guide.scores(lease, found)
        return [score if link.target in self._known else None for link, score in zip(found.links, scores, strict=True)]


def main(settings: str, addresses: str) -> None:
    options = CrawlOptions(**json.loads(Path(settings).read_text()) | {"css": False})
    guide: Any = Inside(make_guide(options), frozenset(Path(addresses).read_text().split("\n")))
    crawl(options, guide=guide)


if __name__ == "__main__":
    main(*sys.argv[1:])
