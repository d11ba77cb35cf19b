"""What a SQLite frontier keeps beside its queue, and what it answers from the file alone."""

import sqlite3
from abc import ABC, abstractmethod

from crawler.frontier.contract import Policy, Stats, Why, key64, key128
from crawler.frontier.sqlite.file import DEAD, explain, in_numbers


class Shelf(ABC):
    """Receipts, rules of robots.txt, things kept by name, and questions."""

    policy: Policy
    _db: sqlite3.Connection

    @abstractmethod
    def _commit(self) -> None: ...

    def receipts(self, segment: str) -> dict[int, str]:
        """The receipts that are kept for a segment."""
        return dict(self._db.execute("SELECT token, outcomes FROM receipts WHERE segment = ?", (segment,)).fetchall())

    def forget(self, segment: str) -> None:
        """The rows of this segment are sealed."""
        self._db.execute("DELETE FROM receipts WHERE segment = ?", (segment,))
        self._commit()

    def robots(self, origin: str) -> str | None:
        """The rules of an origin."""
        row = self._db.execute("SELECT rules FROM origins WHERE origin = ?", (origin,)).fetchone()
        return row[0] if row else None

    def keep(self, name: str, data: bytes) -> None:
        """Keep something with the crawl."""
        self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, data))
        self._commit()

    def kept(self, name: str) -> bytes | None:
        """What was kept under a name last."""
        row = self._db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def dead(self, url: str) -> str | None:
        """Why an address is a dead letter."""
        key = key128(url) if self.policy.exact else key64(url)
        row = self._db.execute("SELECT reason FROM urls WHERE key = ? AND state = ?", (key, DEAD)).fetchone()
        return row[0] if row else None

    def why(self, url: str) -> Why:
        """What is known of an address."""
        return explain(self._db, url, self.policy)

    def stats(self) -> Stats:
        """Counts."""
        return in_numbers(self._db)
