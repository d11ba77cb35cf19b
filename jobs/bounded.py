"""Bounds on what one page may cost, so that one bad page costs a reject and not the job."""

import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from parcels.errors import SkipRecord

PAGE_SECONDS = 20.0  # of CPU; the slowest of 10,000 mutated pages took less than 5
AGAIN_SECONDS = 1.0  # between reminders, where something swallowed the first
MOST_BYTES = 4 << 30  # of address space: past it a page is a MemoryError, and a row of `rejects`
RECYCLED_BYTES = 1200 << 20  # a worker that holds so much after its task is not used for another
RECYCLED = 17  # exit code of such a worker


@contextlib.contextmanager
def cpu_limit(seconds: float, where: str) -> Iterator[None]:
    """Raise SkipRecord("too-slow") inside the block when it has used so much CPU time, of all threads together.

    CPU and not the clock: a busy machine skips no page. Only in the main thread of a process, as Spark's workers are.

    >>> with cpu_limit(60, "page 1"):
    ...     "quick"
    'quick'
    """

    def late(number: int, frame: FrameType | None) -> None:
        raise SkipRecord("too-slow", where, f"more than {seconds:g} s of CPU")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def bound_memory(most: int = MOST_BYTES) -> None:
    """Let an allocation beyond the bound fail in this process alone, before the machine runs out of memory."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def leave_if_heavy(most: int = RECYCLED_BYTES) -> None:
    """End this worker where earlier tasks have left it heavy (lxml and caches hold on to memory).

    Spark gives the task, of which nothing is done yet, to a fresh worker.
    """
    if resident_bytes() > most:
        os._exit(RECYCLED)


def resident_bytes() -> int:
    """Memory of this process; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0
