"""Progress on stderr: a bar on a terminal, plain lines elsewhere, nothing in the first two seconds."""

import sys
import time
from types import TracebackType
from typing import TextIO

QUIET_SECONDS = 2.0  # INTERFACE.md: progress when a command takes longer than two seconds
BAR_SECONDS, LINE_SECONDS = 0.2, 10.0
BAR_WIDTH = 30


class Progress:
    """Counts processed items and reports them at intervals.

    >>> with Progress("pages", total=2, enabled=False) as progress:
    ...     progress.add(2)
    >>> progress.done
    2
    """

    def __init__(self, what: str, *, total: int | None = None, enabled: bool = True, stream: TextIO | None = None):
        self.what, self.total, self.enabled = what, total, enabled
        self.done = self.failed = 0
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty()
        self._started = time.monotonic()
        self._next = self._started + QUIET_SECONDS
        self._shown = False

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._print(end="\n")

    def add(self, done: int = 1, *, failed: int = 0) -> None:
        """Add `done` processed items, `failed` of them without a result."""
        self.done += done
        self.failed += failed
        now = time.monotonic()
        if self.enabled and now >= self._next:
            self._next = now + (BAR_SECONDS if self._is_terminal else LINE_SECONDS)
            self._shown = True
            self._print(end="" if self._is_terminal else "\n")

    def _print(self, end: str) -> None:
        seconds = max(time.monotonic() - self._started, 1e-9)
        rate = self.done / seconds
        parts = [f"{self.done:,}" + (f" of {self.total:,}" if self.total else "") + f" {self.what}", f"{rate:,.1f}/s"]
        if self.total and rate:
            parts.append(f"{max(self.total - self.done, 0) / rate:,.0f} s left")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        line = ", ".join(parts)
        if self._is_terminal:
            filled = int(BAR_WIDTH * min(self.done / self.total, 1)) if self.total else 0
            bar = f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] " if self.total else ""
            line = f"\r\x1b[K{bar}{line}"
        print(line, end=end, file=self._stream, flush=True)
