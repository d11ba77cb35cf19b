"""Settings of Python's garbage collector for code that processes page after page.

The collector scans all tracked objects for reference cycles. A page is thousands of objects without cycles, which are
freed with the page, and loaded models are many thousands that stay. Scanning them costs up to a quarter of the time of
`parcels.blocks` and finds nothing.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS_PER_COLLECTION = 1_000_000


def raise_gc_threshold() -> None:
    """Collect garbage less often; call this before loading models."""
    gc.set_threshold(OBJECTS_PER_COLLECTION, *gc.get_threshold()[1:])


def freeze_loaded_objects() -> None:
    """Exclude all present objects from garbage collection; call this once models are loaded. Repeats do nothing."""
    raise_gc_threshold()
    if not gc.get_freeze_count():
        gc.freeze()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Collect no garbage while one page is processed; for library functions, which must not change the process.

    >>> with gc_paused():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
