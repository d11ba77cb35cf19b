"""The nearest known name to one that somebody mistyped."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """A hint to put behind a message, with its leading space; empty where nothing known is near.

    >>> did_you_mean("dilay", ["delay", "depth"])
    " Did you mean 'delay'?"
    >>> did_you_mean("xyz", ["delay"])
    ''
    """
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f" Did you mean '{near[0]}'?" if near else ""
