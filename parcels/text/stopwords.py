"""Common English words that say nothing about what a text is about (the paper's list of 669 words is not published)."""

from functools import cache
from importlib.resources import files


@cache
def stopwords() -> frozenset[str]:
    """The words, in lower case.

    >>> "the" in stopwords(), "harbour" in stopwords(), 600 <= len(stopwords()) <= 669
    (True, False, True)
    """
    return frozenset((files("parcels.text.data") / "stopwords.txt").read_text(encoding="utf-8").split())
