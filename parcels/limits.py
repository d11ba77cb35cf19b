"""Limits on the cost of one page. Past one, the page is a SkipRecord that names the limit."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from parcels.errors import SkipRecord

PAGE_SECONDS = 20.0  # of CPU, for all steps of a page; the slowest of 10,000 mutated pages took less than 5
AGAIN_SECONDS = 1.0  # between reminders, where something swallowed the first


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on reading one page, with much room above the sizes of real pages."""

    max_bytes: int = 50_000_000
    max_tags: int = 300_000  # `<` followed by a letter; the largest of 10,000 corpus pages has 11,218
    max_attributes: int = 5_000  # of one tag, the rest are dropped: the parser's time grows with their square
    seconds: float = 5.0  # of CPU, for parsing
    max_blocks: int = 100_000  # of a page whose text is chosen: each takes some 40 µs and 6 kB


DEFAULT_LIMITS = Limits()


@contextlib.contextmanager
def cpu_limit(seconds: float, where: str) -> Iterator[None]:
    """Raise SkipRecord("too-slow") inside the block when it has used so much CPU time, of all threads together.

    CPU and not the clock: a busy machine skips no page. Signals reach the main thread of a process only; elsewhere, and
    on systems without such timers, the block runs without a limit.

    >>> with cpu_limit(60, "page 1"):
    ...     "quick"
    'quick'
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise SkipRecord("too-slow", where, f"more than {seconds:g} s of CPU")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
