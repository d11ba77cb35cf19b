"""Report the progress of a crawl, its summary, and why it stored nothing."""

import sys
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, TextIO

from crawler.frontier.contract import PRIVATE, UNREACHABLE
from parcels.common.progress import BAR_SECONDS, LINE_SECONDS, QUIET_SECONDS

if TYPE_CHECKING:
    from crawler.options import CrawlOptions
    from crawler.session import CrawlSession

WINDOW = 60  # recent observations, one per reported line
MOST_REASONS = 3
MOST_HOSTS = 3
_AGAIN = "run the same command again"
ADVICE = {
    PRIVATE: f"Private and loopback addresses are fetched with --allow-private only: add it and {_AGAIN}.",
    "robots": "robots.txt forbids these addresses: name others. For a site of your own there is --no-robots.",
    "noindex": "These pages forbid to store them (noindex): name others.",
    "content-type": "These addresses are no web pages, feeds or site maps: name others.",
    "page-type": "No page has a type that --page-types names: name more types, or leave it out.",
}
_OTHER = "For the state of one address: parcels frontier why URL --store {store}"
_FAILURES = {
    "dns": "no such name is known", "refused": "the connection was refused", "timeout": "no answer in time",
    "connection": "the connection failed", "proxy": "the proxy could not connect",
}  # fmt: skip


class ProgressReporter:
    """A reporter: a live line on a terminal, otherwise a plain line at intervals."""

    def __init__(
        self, session: "CrawlSession", *, limit: int | None, stream: TextIO | None = None, enabled: bool = True
    ):
        self._session, self._limit, self._enabled = session, limit, enabled
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._next = time.monotonic() + QUIET_SECONDS
        self._past: deque[tuple[float, int, int]] = deque(maxlen=WINDOW)  # when, fetched, known
        self._is_shown = False

    def tick(self) -> None:
        """Report the progress if it is due."""
        now = time.monotonic()
        if self._enabled and now >= self._next:
            self._next = now + (BAR_SECONDS * 5 if self._is_terminal else LINE_SECONDS)
            line = self.line(now)
            self._is_shown = True
            print(f"\r\x1b[K{line}" if self._is_terminal else line, end="" if self._is_terminal else "\n",
                  file=self._stream, flush=True)  # fmt: skip

    def end(self) -> None:
        """End the live line."""
        if self._is_shown and self._is_terminal:
            print(file=self._stream, flush=True)

    def line(self, now: float) -> str:
        """Return pages, speed, queue, hosts, messages of the link policy, errors by reason, and the time left."""
        counts, pending = self._session.counts, self._session.pending
        fetched = sum(count for name, count in counts.items() if name != "bytes")
        self._past.append((now, fetched, fetched + pending))
        began, at_first, known_first = self._past[0]
        rate = (fetched - at_first) / max(now - began, 1e-9)
        hosts = f"hosts {len(self._session.hosts):,}"
        parts = [f"{counts['pages']:,} pages", f"{rate:,.1f}/s", f"{pending:,} to do", hosts]
        if self._session.learning is not None:
            parts += self._session.learning.messages()
        problems = Counter({name: n for name, n in counts.items() if ":" in name})
        parts += [f"{name.partition(': ')[2]} {n:,}" for name, n in problems.most_common(MOST_REASONS)]
        left = self._limit - counts["pages"] if self._limit is not None else pending
        parts.append(time_left(left, rate, (fetched + pending - known_first) / max(fetched - at_first, 1)))
        return ", ".join(part for part in parts if part)


def time_left(pending: int, rate: float, found_a_page: float) -> str:
    """Return the time left as a range: without new addresses, and if pages go on leading to as many new ones.

    >>> time_left(600, 10, 0.5), time_left(600, 10, 1.2), time_left(0, 10, 0)
    ('1-2 min left', 'at least 1 min left', '')
    """
    if pending <= 0 or rate <= 0:
        return ""
    least = pending / rate
    if found_a_page >= 1:
        return f"at least {_span(least)} left"
    low, high = _span(least), _span(least / (1 - max(found_a_page, 0.0)))
    if low == high:
        return f"{low} left"
    number, unit = low.split()
    return f"{number}-{high} left" if high.endswith(unit) else f"{low} to {high} left"


def _span(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def summary(counts: Counter[str], seconds: float, *, crawl: str, run_id: str, saved: int, left: int) -> list[str]:
    """Return the lines that summarise a crawl."""
    lists = {"pages": "pages", "sheets": "style sheets", "lists": "feeds and site maps", "robots.txt": "robots.txt"}
    taken = ", ".join(f"{counts[name]:,} {word}" for name, word in lists.items() if counts[name]) or "nothing new"
    lines = [f"crawled {taken} in {seconds:,.1f} s into crawl '{crawl}' (run {run_id})"]
    for kind in ("rejected", "retried"):
        reasons = Counter({name.partition(": ")[2]: n for name, n in counts.items() if name.startswith(f"{kind}: ")})
        if reasons:
            listed = ", ".join(f"{reason} {n:,}" for reason, n in reasons.most_common())
            lines.append(f"{kind} {sum(reasons.values()):,}: {listed}")
    if saved:
        lines.append(f"saved {saved:,} entries of a crawl that was killed")
    lost = sum(counts[f"rejected: {reason}"] for reason in UNREACHABLE)
    if lost:
        lines.append(f"{lost:,} addresses could not be reached: the next run tries them again")
    if left:
        lines.append(f"{left:,} addresses are left: run the same command again to continue")
    elif not counts:
        lines.append("nothing is left to do: give more seeds, or revisit known pages with --revisit")
    return lines


def why_nothing(session: "CrawlSession", options: "CrawlOptions") -> str:
    """Return why a run stored no page, and what to do, in one message."""
    reasons = Counter(
        {n.partition(": ")[2]: count for n, count in session.counts.items() if n.startswith("rejected: ")}
    )
    parts = []
    if session.unreachable:
        first = list(session.unreachable.items())[:MOST_HOSTS]
        listed = ", ".join(f"{host} ({_FAILURES.get(reason, reason)})" for host, reason in first)
        more = f" and {len(session.unreachable) - len(first):,} more" if len(session.unreachable) > len(first) else ""
        proxy = f"the proxy {options.proxy}" if options.proxy else "the network (--proxy URL if it needs one)"
        parts.append(f"could not reach {listed}{more}. Check the addresses and {proxy}, then {_AGAIN}.")
    parts += [
        f"{reason} {count:,}. {ADVICE.get(reason, _OTHER.format(store=options.store))}"
        for reason, count in reasons.most_common(MOST_REASONS)
        if reason not in UNREACHABLE or not session.unreachable
    ]
    return "no page was stored: " + " ".join(parts)
