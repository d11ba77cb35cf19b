"""Track the templates of a SQLite frontier with copies among their responses, in memory and in the file."""

import sqlite3

from crawler.frontier.contract import FrontierPolicy
from crawler.frontier.traps import add_response, closed_reason, template_of


class Templates:
    """All templates with a copy among their responses, by host; the caller commits."""

    def __init__(self, db: sqlite3.Connection, policy: FrontierPolicy):
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
        """Record a response; return True if it closes the template."""
        recent = self._recent.get((host, template))
        if not self._policy.copies or (recent is None and not is_copy):
            return False
        recent, closes = add_response(recent or "", is_copy, self._policy)
        self._recent[host, template] = recent
        known = self._closed.setdefault(host, set())
        closes = closes and template not in known
        if closes:
            known.add(template)
        row = (host, template, recent, int(template in known))
        self._db.execute("INSERT OR REPLACE INTO templates VALUES (?, ?, ?, ?)", row)
        return closes


def closed_template_reason(db: sqlite3.Connection, host: int, url: str, policy: FrontierPolicy) -> str | None:
    """Return why an address of a host is not admitted if its template is closed."""
    template = template_of(url)
    words = "SELECT 1 FROM templates WHERE host = ? AND template = ? AND is_closed"
    try:
        row = db.execute(words, (host, template)).fetchone()
    except sqlite3.OperationalError:  # a file of an earlier version, opened for reading
        return None
    return closed_reason(template, policy) if row and policy.copies else None
