"""Limits on the cost of one page; a page beyond a limit is a SkipRecord that names it."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

from parcels.errors import SkipRecord

PAGE_SECONDS = 20.0  # of CPU, for all steps of a page; the slowest of 10,000 mutated pages took less than 5
AGAIN_SECONDS = 1.0  # between repeated signals, in case code swallowed the first exception


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on reading one page, far above the sizes of real pages."""

    max_bytes: int = 50_000_000
    max_tags: int = 300_000  # `<` followed by a letter; the largest of 10,000 corpus pages has 11,218
    max_attributes: int = 5_000  # of one tag, the rest is dropped: parsing time is quadratic in their number
    seconds: float = 5.0  # of CPU, for parsing
    max_blocks: int = 100_000  # of a page in article extraction: each takes about 40 µs and 6 kB


DEFAULT_LIMITS = Limits()


@contextlib.contextmanager
def cpu_limit(seconds: float, where: str) -> Iterator[None]:
    """Raise SkipRecord("too-slow") in the block once it has used `seconds` of CPU time, in all threads together.

    The limit is CPU time, so a busy machine skips no pages. Signals reach only the main thread of a process; in other
    threads, and on systems without such timers, the block runs without a limit.

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
