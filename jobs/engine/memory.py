"""Bounds on the memory of a worker, so that one bad page costs a reject and not the job."""

import os
import resource
from pathlib import Path

MOST_BYTES = 4 << 30  # of address space: past it a page is a MemoryError, and a row of `rejects`
RECYCLED_BYTES = 1200 << 20  # a worker that holds so much after its task is not used for another
RECYCLED = 17  # exit code of such a worker


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
