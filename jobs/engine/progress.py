"""Progress, messages and summaries of jobs."""

import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from parcels.common.progress import Progress

POLL_SECONDS = 0.5


class ProgressReporter:
    """Report the pages and blocks of finished tasks on stderr while its context is open."""

    def __init__(self, total: int, *, pages: Callable[[], int], blocks: Callable[[], int], enabled: bool):
        self._pages, self._blocks = pages, blocks
        self._bar = Progress("pages", total=total, enabled=enabled)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)

    def __enter__(self) -> None:
        self._bar.__enter__()
        self._thread.start()

    def __exit__(self, *error: Any) -> None:
        self._ended.set()
        self._thread.join()
        self._update()
        self._bar.__exit__(*error)

    def _poll(self) -> None:
        while not self._ended.wait(POLL_SECONDS):
            self._update()

    def _update(self) -> None:
        self._bar.what = f"pages ({self._blocks():,} blocks)"
        self._bar.add(max(self._pages() - self._bar.done, 0))


def summary(job: str, counts: Mapping[str, int], seconds: float) -> str:
    """Return the counts of a job in one line.

    >>> summary("divide", {"pages": 10, "blocks": 70, "rejected: empty": 1}, 2.0)
    'divide: 10 pages, 70 blocks; rejected: empty 1; 2.0 s, 5.0 pages/s'
    >>> summary("divide", {}, 1.0)
    'divide: nothing to do'
    """
    if not counts:
        return f"{job}: nothing to do"
    made = ", ".join(f"{count:,} {name}" for name, count in counts.items() if ":" not in name)
    parts = [made] if made else []
    rejected = [
        f"{name.partition(': ')[2]} {count:,}" for name, count in counts.items() if name.startswith("rejected:")
    ]
    if rejected:
        parts.append(f"rejected: {', '.join(rejected)}")
    rate = f", {counts['pages'] / seconds:,.1f} pages/s" if counts.get("pages") and seconds else ""
    return f"{job}: {'; '.join([*parts, f'{seconds:,.1f} s{rate}'])}"


def print_message(line: str) -> None:
    """Print a line that is not a result to stderr."""
    print(line, file=sys.stderr, flush=True)
