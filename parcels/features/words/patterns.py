"""Tag patterns of the papers: a place or news agency beside a hyphen or in brackets, and a call to the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from parcels.text.analysis import Analysis
from parcels.text.wordlists import Flag

LONGEST_NAME = 6  # tokens, commas included: TIKRIT, Iraq

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Patterns:
    """Flags per block: whether it contains each pattern."""

    source: Bools  # - NP at the end of a sentence
    country: Bools  # NP - at the beginning of a sentence
    country_source: Bools  # NP (NP) - at the beginning of a sentence
    verb: Bools  # a verb in its base form at the beginning of a sentence


def patterns(of: Analysis) -> Patterns:
    """Return which blocks contain each pattern.

    A hyphen counts if white space or a bracket stands before it, or if it is a dash. Hyphens of compounds do not count.
    """
    source, country, both = (np.zeros(len(of.texts), np.bool_) for _ in range(3))
    tokens = of.lazy_tokens()
    free = [at for at in np.flatnonzero(of.has(Flag.HYPHEN)).tolist() if _stands_free(tokens, of.is_spaced, at)]
    if free:
        proper = _is_tag(of, "NNP", "NNPS").tolist()
        first = np.flatnonzero(of.is_first)
        sentences = np.searchsorted(first, free, "right").tolist()
        begins = [*first.tolist(), len(tokens)]
        last, end = 0, 0  # the sentence of the previous hyphen, and the end of its words
        for at, block, sentence in zip(free, of.text_of.take(free).tolist(), sentences, strict=True):
            begin = begins[sentence - 1]
            if sentence != last:
                last, end = sentence, _without_closing_marks(tokens, begin, begins[sentence])
            source[block] |= 0 < end - at - 1 <= LONGEST_NAME and all(proper[at + 1 : end])
            if at - begin <= 2 * LONGEST_NAME + 2:
                is_country, is_both = _dateline(tokens[begin:at], proper[begin:at])
                country[block] |= is_country
                both[block] |= is_both
    starts = of.count(of.is_first & _is_tag(of, "VB")) > 0
    return Patterns(source, country, both, starts)


def _is_tag(of: Analysis, *tags: str) -> Bools:
    """Return which tokens have one of these Penn tags."""
    return _wanted(of.tag_names, tags).take(of.tag)


@cache
def _wanted(tag_names: tuple[str, ...], tags: tuple[str, ...]) -> Bools:
    return np.array([tag in tags for tag in tag_names])


def _stands_free(tokens: Sequence[str], is_spaced: Bools, at: int) -> bool:
    return bool(is_spaced[at]) or tokens[at] != "-" or (at > 0 and tokens[at - 1] == ")")


def _without_closing_marks(tokens: Sequence[str], begin: int, end: int) -> int:
    """Return the end of a sentence without its closing full stops, brackets and quotes."""
    while end > begin and tokens[end - 1] in (".", ")", '"', "”"):
        end -= 1
    return end


def _dateline(tokens: list[str], proper: list[bool]) -> tuple[bool, bool]:
    """Return whether the tokens before a hyphen are a place, and whether they are a place and a source in brackets."""
    if not tokens:
        return False, False
    if tokens[-1] == ")" and "(" in tokens:
        open_at = tokens.index("(")
        inside = tokens[open_at + 1 : -1]
        return False, _is_place(tokens[:open_at], proper[:open_at]) and _is_place(inside, proper[open_at + 1 : -1])
    return _is_place(tokens, proper), False


def _is_place(tokens: list[str], proper: list[bool]) -> bool:
    if not 0 < len(tokens) <= LONGEST_NAME or not proper[0]:
        return False
    return all(is_proper or token in (",", "/", "-") for token, is_proper in zip(tokens, proper, strict=True))
