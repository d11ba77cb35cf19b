"""Settings of Python's garbage collector for code that processes page after page.

The collector scans all tracked objects for reference cycles. A page is thousands of objects without cycles, which are
freed with the page, and loaded models are many thousands that stay. Scanning them costs up to a quarter of the time of
`parcels.blocks` and finds nothing.
"""

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

OBJECTS_PER_COLLECTION = 1_000_000

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def raise_gc_threshold() -> None:
    """Collect garbage less often; call this before loading models."""
    gc.set_threshold(OBJECTS_PER_COLLECTION, *gc.get_threshold()[1:])


def freeze_loaded_objects() -> None:
    """Exclude all present objects from garbage collection; call this once models are loaded. Repeats do nothing."""
    raise_gc_threshold()
    if not gc.get_freeze_count():
        gc.freeze()


def gc_paused(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Collect no garbage while a function processes one page; for library functions, which must not change the process.

    Nothing is allocated between the end of the pause and the return. A caller that drops the result at once, as a loop
    over pages does, frees it before the collector scans it.

    >>> gc_paused(gc.isenabled)(), gc.isenabled()
    (False, True)
    """

    @wraps(function)
    def paused(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        if not gc.isenabled():
            return function(*given, **named)
        gc.disable()
        try:
            return function(*given, **named)
        finally:
            gc.enable()

    return paused
