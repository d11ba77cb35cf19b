"""How good an extraction is: words and runs of words against a gold text, fields against gold fields.

The measures are those of the article extraction benchmark (runs of four words; precision and recall averaged over
pages first) and of WCXB (words in lower case, F1 a page, averaged).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from parcels.articles.gold import words_of

SHINGLE = 4
_WORD = re.compile(r"\w+")
_NAMES = re.compile(r"[;,]| and ")


def word_f1(gold: str, said: str) -> float:
    """F1 of the words of two texts.

    >>> word_f1("the old pier", "The pier")
    0.8
    """
    one, two = Counter(words_of(gold)), Counter(words_of(said))
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def shingle_scores(gold: str, said: str) -> tuple[float | None, float]:
    """Precision (None where nothing was said) and recall of runs of four words."""
    one, two = _shingles(gold), _shingles(said)
    hits = (one & two).total()
    return (hits / two.total() if two else None), (hits / one.total() if one else 1.0)


def shingle_f1(pairs: Iterable[tuple[float | None, float]]) -> float:
    """F1 of the mean precision and the mean recall."""
    pairs = list(pairs)
    answered = [precision for precision, _ in pairs if precision is not None]
    precision = sum(answered) / max(1, len(answered))
    recall = sum(recall for _, recall in pairs) / max(1, len(pairs))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def lcs_f1(gold: str, said: str) -> float:
    """F1 of the longest common subsequence of words (bit-parallel, Hyyro 2004).

    >>> round(lcs_f1("the old pier burnt", "old burnt pier"), 4)
    0.5714
    """
    one, two = words_of(gold), words_of(said)
    if not one or not two:
        return float(one == two)
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | (1 << place)
    mask = free = (1 << len(one)) - 1
    for word in two:
        hits = free & places.get(word, 0)
        free = ((free + hits) | (free - hits)) & mask
    return 2 * (~free & mask).bit_count() / (len(one) + len(two))


def contains(gold: str, said: str, *, missing: float = 0.02) -> bool:
    """True where nearly all words of the gold text are in the extraction: at most this share is missing."""
    one, two = Counter(words_of(gold)), Counter(words_of(said))
    return (one - two).total() <= missing * one.total()


def field_scores(gold: dict[str, Any], said: dict[str, Any]) -> dict[str, float]:
    """Title and day right or wrong, F1 of the authors' names: of the fields that the gold has.

    >>> field_scores({"title": "Fire!", "authors": "Ann Lee and Bo Ek"}, {"title": "fire", "authors": ["Bo Ek"]})
    {'title': 1.0, 'authors': 0.6666666666666666}
    """
    found = {}
    if gold.get("title"):
        found["title"] = float(_plain(gold["title"]) == _plain(said.get("title") or ""))
    if gold.get("published"):
        found["published"] = float((said.get("published") or "")[:10] == gold["published"][:10])
    wanted = _names(gold.get("authors") or gold.get("author"))
    if wanted:
        have = _names(said.get("authors"))
        found["authors"] = 2 * len(wanted & have) / (len(wanted) + len(have))
    return found


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    if len(words) < SHINGLE:
        return Counter([tuple(words)] if words else [])
    return Counter(tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _names(value: str | Sequence[str] | None) -> set[str]:
    parts = _NAMES.split(value) if isinstance(value, str) else value or ()
    return {plain for part in parts if (plain := _plain(part))}
