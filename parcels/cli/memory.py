"""Python's garbage collector in a process that reads page after page.

The collector looks at every tracked object again and again to find cycles. A page is thousands of objects that go when
the page goes, and the models are hundreds of thousands that stay; so a look comes only after many objects more, and
what stays is put aside once.
"""

import gc

OBJECTS_A_LOOK = 1_000_000  # pages leave no cycles; what grows between two looks are the caches of words and styles


def look_seldom() -> None:
    """Call this before models are loaded: what they are made of would be looked at while it is made, for nothing."""
    gc.set_threshold(OBJECTS_A_LOOK, *gc.get_threshold()[1:])


def settle_memory() -> None:
    """Call this once the models are loaded; a second call changes nothing."""
    look_seldom()
    if not gc.get_freeze_count():
        gc.freeze()
