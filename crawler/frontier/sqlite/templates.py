"""Templates of a SQLite frontier whose answers were copies: in memory while it is open, in the file at once."""

import sqlite3

from crawler.frontier.contract import Policy
from crawler.frontier.traps import after_answer, closed_detail, template_of


class Templates:
    """All templates with a copy among their answers, by host; the caller commits."""

    def __init__(self, db: sqlite3.Connection, policy: Policy):
        self._db, self._policy = db, policy
        self._recent: dict[tuple[int, str], str] = {}
        self._closed: dict[int, set[str]] = {}
        for host, template, recent, is_closed in db.execute("SELECT host, template, recent, is_closed FROM templates"):
            self._recent[host, template] = recent
            if is_closed:
                self._closed.setdefault(host, set()).add(template)

    def is_closed(self, host: int, url: str) -> bool:
        """Return True for an address of a closed template of this host."""
        closed = self._closed.get(host)
        return bool(closed and self._policy.copies and template_of(url) in closed)

    def answered(self, host: int, template: str, is_copy: bool) -> bool:
        """Count an answer; returns True where it closes the template."""
        recent = self._recent.get((host, template))
        if not self._policy.copies or (recent is None and not is_copy):
            return False
        recent, closes = after_answer(recent or "", is_copy, self._policy)
        self._recent[host, template] = recent
        known = self._closed.setdefault(host, set())
        closes = closes and template not in known
        if closes:
            known.add(template)
        row = (host, template, recent, int(template in known))
        self._db.execute("INSERT OR REPLACE INTO templates VALUES (?, ?, ?, ?)", row)
        return closes


def why_closed(db: sqlite3.Connection, host: int, url: str, policy: Policy) -> str | None:
    """Return why an address of a host is not admitted, where its template is closed."""
    template = template_of(url)
    words = "SELECT 1 FROM templates WHERE host = ? AND template = ? AND is_closed"
    try:
        row = db.execute(words, (host, template)).fetchone()
    except sqlite3.OperationalError:  # a file of an earlier version, opened for reading
        return None
    return closed_detail(template, policy) if row and policy.copies else None
