"""English stop words: frequent words that carry no topic (the paper's list of 669 words is not published)."""

from functools import cache
from importlib.resources import files


@cache
def stopwords() -> frozenset[str]:
    """Return the stop words, in lower case.

    >>> "the" in stopwords(), "harbour" in stopwords(), 600 <= len(stopwords()) <= 669
    (True, False, True)
    """
    return frozenset((files("parcels.text.data") / "stopwords.txt").read_text(encoding="utf-8").split())
