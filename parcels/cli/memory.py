"""Python's garbage collector in a process that reads page after page.

The collector looks at every tracked object again and again to find cycles. A page is thousands of objects that go when
the page goes, and the models are hundreds of thousands that stay; so what stays is put aside once, and a look comes
only after many objects more.
"""

import gc

OBJECTS_A_LOOK = 200_000  # more than pages hold, so that hardly any is looked at while it is in work


def settle_memory() -> None:
    """Call this once the models are loaded; a second call changes nothing."""
    if gc.get_threshold()[0] == OBJECTS_A_LOOK:
        return
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_A_LOOK, *gc.get_threshold()[1:])
