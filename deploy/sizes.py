"""Compute machine sizes and costs of a crawl: `python deploy/sizes.py [--core-hour P] [--gb-month P] …`.

The figures per page are measured; deploy/README.md names their sources. Give your own prices: the defaults are round
numbers, not an offer.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

PAGE_BYTES = 193_000  # as fetched
STORE_BYTES = {
    "pages": 33_600,
    "blocks": 10_200,
    "features": 25_900,
    "labels": 3_600,
    "articles": 2_600,
    "segments": 4_100,
}
LABEL_MS, ARTICLE_MS, CRAWL_MS = 57.2, 48.9, 3.7  # CPU a page
SEEN_BYTES, QUEUED_BYTES = 10.2, 174  # of Redis, an address
QUEUED_A_PAGE = 10  # a guess
DAY = 86_400
USED = 0.6  # of the cores' time: machines wait, and jobs do not fill them


@dataclass(frozen=True)
class Prices:
    """Prices in any currency, and the retention of pages."""

    core_hour: float
    gb_month: float
    gb_memory_hour: float
    days: int


@dataclass(frozen=True)
class Need:
    """The resources for a number of pages per day."""

    pages: int

    @property
    def cores(self) -> float:
        """Cores for labels, articles and the crawl, if busy all the time."""
        return self.pages * (LABEL_MS + ARTICLE_MS + CRAWL_MS) / 1000 / DAY

    @property
    def store(self) -> float:
        """Bytes per day in the store."""
        return self.pages * sum(STORE_BYTES.values())

    @property
    def redis(self) -> float:
        """Bytes of a frontier with the addresses of one day."""
        return self.pages * QUEUED_A_PAGE * (SEEN_BYTES + QUEUED_BYTES)

    def cells(self, prices: Prices) -> Iterator[str]:
        """Yield a row of the table."""
        yield f"{self.pages // 1_000_000} million"
        yield f"{self.pages / DAY:,.0f}"
        yield f"{self.pages * PAGE_BYTES * 8 / DAY / 1e6:,.0f} Mbit/s"
        yield f"{self.store / 1e9:,.0f} GB"
        yield f"{self.cores:,.1f}"
        yield f"{self.redis / 1e9:,.1f} GB"
        cores = self.cores / USED * 24 * prices.core_hour
        memory = self.redis / 1e9 * 24 * prices.gb_memory_hour
        kept = self.store / 1e9 * prices.days * prices.gb_month / 30
        yield f"{cores:,.2f}"
        yield f"{memory:,.2f}"
        yield f"{kept:,.2f}"
        yield f"{(cores + memory + kept) / self.pages * 1e6:,.2f}"


HEADS = ("pages a day", "a second", "bandwidth", "store a day", "busy cores", "Redis", "cores", "memory", "store",
         "a million pages")  # fmt: skip


def table(prices: Prices) -> str:
    """Return the table of the README."""
    rows = [Need(millions * 1_000_000).cells(prices) for millions in (1, 10, 100)]
    lines = [HEADS, ["---"] * len(HEADS), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(arguments: list[str] | None = None) -> int:
    """Print the table for somebody's prices."""
    parser = argparse.ArgumentParser(prog="python deploy/sizes.py", description=__doc__)
    add = parser.add_argument
    add("--core-hour", type=float, default=0.04, metavar="P", help="of one core for an hour (default 0.04)")
    add("--gb-month", type=float, default=0.02, metavar="P", help="of a stored GB for a month (default 0.02)")
    add("--gb-memory-hour", type=float, default=0.005, metavar="P", help="of a GB of memory for an hour (0.005)")
    add("--days", type=int, default=30, metavar="N", help="that pages and their tables are kept (default 30)")
    chosen = parser.parse_args(arguments)
    print(table(Prices(chosen.core_hour, chosen.gb_month, chosen.gb_memory_hour, chosen.days)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
