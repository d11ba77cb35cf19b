"""Store receipts, robots.txt rules and named values in the file of a SQLite frontier, and answer queries from it."""

import sqlite3
from abc import ABC, abstractmethod

from crawler.frontier.contract import AddressStatus, FrontierPolicy, FrontierStats, key64, key128
from crawler.frontier.sqlite.file import DEAD, count_states, explain_address


class SqliteStorage(ABC):
    """The part of a SQLite frontier that needs only the file: receipts, rules, named values, queries."""

    policy: FrontierPolicy
    _db: sqlite3.Connection

    @abstractmethod
    def _commit(self) -> None: ...

    def receipts(self, segment: str) -> dict[int, str]:
        """Return the receipts of a segment."""
        return dict(self._db.execute("SELECT token, outcomes FROM receipts WHERE segment = ?", (segment,)).fetchall())

    def delete_receipts(self, segment: str) -> None:
        """Delete the receipts of a sealed segment."""
        self._db.execute("DELETE FROM receipts WHERE segment = ?", (segment,))
        self._commit()

    def robots(self, origin: str) -> str | None:
        """Return the rules of an origin."""
        row = self._db.execute("SELECT rules FROM origins WHERE origin = ?", (origin,)).fetchone()
        return row[0] if row else None

    def save_value(self, name: str, data: bytes) -> None:
        """Store a named value with the crawl."""
        self._db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, data))
        self._commit()

    def load_value(self, name: str) -> bytes | None:
        """Return the value last stored under a name."""
        row = self._db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def dead_reason(self, url: str) -> str | None:
        """Return the reason why an address is a dead letter."""
        key = key128(url) if self.policy.exact else key64(url)
        row = self._db.execute("SELECT reason FROM urls WHERE key = ? AND state = ?", (key, DEAD)).fetchone()
        return row[0] if row else None

    def explain(self, url: str) -> AddressStatus:
        """Return the state of an address and the reason for it."""
        return explain_address(self._db, url, self.policy)

    def stats(self) -> FrontierStats:
        """Return the counts of the frontier."""
        return count_states(self._db)
