"""Limits on the memory of a worker process: a page that needs too much is rejected, and the job continues."""

import os
import resource
from pathlib import Path

MOST_BYTES = 4 << 30  # of address space: beyond it a page raises MemoryError and becomes a row of `rejects`
RECYCLED_BYTES = 1200 << 20  # a worker that uses more after a task gets no other task
RECYCLED = 17  # exit code of such a worker


def limit_memory(most: int = MOST_BYTES) -> None:
    """Make allocations beyond the limit fail in this process, before the machine runs out of memory."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > most:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def exit_if_large(most: int = RECYCLED_BYTES) -> None:
    """End this worker if it still uses much memory after earlier tasks (lxml and caches keep some).

    Spark then runs the task, which has not started yet, in a new worker.
    """
    if resident_bytes() > most:
        os._exit(RECYCLED)


def resident_bytes() -> int:
    """Return the memory that this process uses, or 0 if the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0
