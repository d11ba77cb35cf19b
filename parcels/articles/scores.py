"""Scores of an extraction: words and runs of words against a gold text, fields against gold fields.

The scores are those of the article extraction benchmark (runs of four words; precision and recall are averaged over
pages first) and of WCXB (words in lower case, F1 per page, averaged).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from parcels.articles.gold import words_of

SHINGLE = 4
_WORD = re.compile(r"\w+")
_NAMES = re.compile(r"[;,]| and ")


def word_f1(gold: str, extracted: str) -> float:
    """Return the F1 of the words of two texts.

    >>> word_f1("the old pier", "The pier")
    0.8
    """
    one, two = Counter(words_of(gold)), Counter(words_of(extracted))
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def shingle_scores(gold: str, extracted: str) -> tuple[float | None, float]:
    """Return precision (None for an empty extraction) and recall of runs of four words."""
    one, two = _shingles(gold), _shingles(extracted)
    hits = (one & two).total()
    return (hits / two.total() if two else None), (hits / one.total() if one else 1.0)


def shingle_f1(pairs: Iterable[tuple[float | None, float]]) -> float:
    """Return the F1 of the mean precision and the mean recall."""
    pairs = list(pairs)
    answered = [precision for precision, _ in pairs if precision is not None]
    precision = sum(answered) / max(1, len(answered))
    recall = sum(recall for _, recall in pairs) / max(1, len(pairs))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def lcs_f1(gold: str, extracted: str) -> float:
    """Return the F1 of the longest common subsequence of words (bit-parallel, Hyyro 2004).

    >>> round(lcs_f1("the old pier burnt", "old burnt pier"), 4)
    0.5714
    """
    one, two = words_of(gold), words_of(extracted)
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


def contains(gold: str, extracted: str, *, missing: float = 0.02) -> bool:
    """Return whether at most a share `missing` of the gold text's words is not in the extraction."""
    one, two = Counter(words_of(gold)), Counter(words_of(extracted))
    return (one - two).total() <= missing * one.total()


def field_scores(gold: dict[str, Any], extracted: dict[str, Any]) -> dict[str, float]:
    """Return the scores of the fields that the gold has: title and day 0 or 1, authors the F1 of names.

    >>> field_scores({"title": "Fire!", "authors": "Ann Lee and Bo Ek"}, {"title": "fire", "authors": ["Bo Ek"]})
    {'title': 1.0, 'authors': 0.6666666666666666}
    """
    scores = {}
    if gold.get("title"):
        scores["title"] = float(_plain(gold["title"]) == _plain(extracted.get("title") or ""))
    if gold.get("published"):
        scores["published"] = float((extracted.get("published") or "")[:10] == gold["published"][:10])
    wanted = _names(gold.get("authors") or gold.get("author"))
    if wanted:
        have = _names(extracted.get("authors"))
        scores["authors"] = 2 * len(wanted & have) / (len(wanted) + len(have))
    return scores


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
