# cython: wraparound=False, cdivision=True
"""The inner loops over tokens: greedy labelling from left to right, sentence boundaries, and rows of weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

START, START2, END, END2 = range(4)  # word numbers of sentence boundaries (tables.START)
MIXED, FIRST, CAPITALS, SMALL, TITLES = range(5)  # recogniser.CASES


class Greedy:
    """A perceptron that labels tokens greedily: its weights in one table, and the rows that are added per token.

    From column `first` on, the keys of a word are rows of the weights, one for each of `places`, the positions around a
    token (tables.OWN and others). `both` has one row per pair of previous labels. `label_lists` has previous labels and
    their rows of weights (tables.label_lists).
    """

    def __init__(self, weights: NDArray[Any], places: Indices, first: int, labels: int, both: Any, label_lists: Any):
        self.is_small = weights.dtype == np.int16
        self.small = (weights if self.is_small else np.zeros((1, 1), np.int16)).data
        self.large = (np.zeros((1, 1), np.int32) if self.is_small else weights).data
        self.places, self.first, self.both, self.label_lists = places.data, first, both.data, label_lists.data
        self.width = weights.shape[1]
        self.labels = labels  # two more numbers stand for the start of a sentence

    def decode(self, tokens: "Tokens", keys: Any, beside: Any, on_tie: Callable[[int, int, int], int] | None) -> None:
        """Set the labels of open tokens; `keys` are by word number, `beside` has further rows for each token.

        On equal scores `on_tie` is called with the token and the two previous labels; without it the first label wins.
        """
        words, is_first, labels = tokens.words, tokens.is_first, tokens.labels
        count, tables, more = len(words), len(self.places), len(beside)
        around = np.empty(5, np.intp).data
        rows = np.empty(1 + tables + more, np.intp).data
        total = np.empty(self.width, np.int32).data
        for token in range(count):
            if not tokens.is_open[token]:
                continue
            around[0] = words[token]
            if is_first[token]:
                around[1], around[2], previous, second = START2, START, self.labels, self.labels + 1
            else:
                around[1], previous = words[token - 1], labels[token - 1]
                if is_first[token - 1]:
                    around[2], second = START2, self.labels
                else:
                    around[2], second = words[token - 2], labels[token - 2]
            if token + 1 == count or is_first[token + 1]:
                around[3], around[4] = END, END2
            else:
                around[3] = words[token + 1]
                around[4] = END if token + 2 == count or is_first[token + 2] else words[token + 2]
            used = 0
            begin = tokens.lists[token] >> 6
            for at in range(begin, begin + (tokens.lists[token] & 63)):
                if self.label_lists[at, 0] == previous:
                    rows[used] = self.label_lists[at, 1]
                    used += 1
                    break
            for at in range(tables):
                rows[used + at] = keys[around[self.places[at]], self.first + at]
            used += tables
            for at in range(more):
                rows[used + at] = beside[at, token]
            most = self._add(total, rows, used + more, previous * (self.labels + 2) + second)
            best, last = 0, self.labels - 1
            while total[best] != most:
                best += 1
            if on_tie is not None:
                while total[last] != most:
                    last -= 1
                if best != last:
                    best = on_tie(token, previous, second)
            labels[token] = best

    def _add(self, total: Any, rows: Any, count: int, pair: int) -> int:
        """Compute the score of each label; return the highest."""
        is_small = self.is_small
        for at in range(self.width):
            total[at] = self.both[pair, at]
        n = 0
        if is_small:  # four rows at a time, to read and write the scores less often
            while n + 3 < count:
                one, two, three, four = rows[n], rows[n + 1], rows[n + 2], rows[n + 3]
                for at in range(self.width):
                    total[at] += (
                        self.small[one, at] + self.small[two, at] + self.small[three, at] + self.small[four, at]
                    )
                n += 4
        for at_row in range(n, count):
            one = rows[at_row]
            if is_small:
                for at in range(self.width):
                    total[at] += self.small[one, at]
            else:
                for at in range(self.width):
                    total[at] += self.large[one, at]
        most: int = total[0]
        for at in range(1, self.width):
            if total[at] > most:
                most = total[at]
        return most


class Tokens:
    """The tokens to label: their words, labels, and which labels are open."""

    def __init__(self, words: Indices, is_first: Bools, labels: Indices, is_open: Bools, lists: Any):
        self.words, self.labels, self.lists = words, labels, lists
        self.is_first, self.is_open = is_first.view(np.uint8), is_open.view(np.uint8)


def mark_starts(
    flags: NDArray[np.uint32], text_of: Indices, ends: int, closes: int, small: int, is_start: Bytes
) -> None:
    """Set which tokens begin a sentence, by the flags of end marks, of closing marks and of lower-case words.

    >>> is_start = np.zeros(5, np.uint8)
    >>> mark_starts(np.array([0, 1, 2, 0, 4], np.uint32), np.array([0, 0, 0, 0, 1]), 1, 2, 4, is_start)
    >>> is_start.tolist()
    [1, 0, 0, 1, 1]
    """
    for at in range(len(flags)):
        if at == 0 or text_of[at] != text_of[at - 1]:
            is_start[at] = 1
        elif flags[at] & (ends | closes | small):
            is_start[at] = 0
        elif flags[at - 1] & ends:
            is_start[at] = 1
        else:
            is_start[at] = at > 1 and (flags[at - 1] & closes) != 0 and (flags[at - 2] & ends) != 0


class CaseRules:
    """The shapes that determine the case of a sentence, and the share of capitalised words in headlines."""

    def __init__(self, upper: int, title: int, lower: int, title_share: float):
        self.upper, self.title, self.lower, self.title_share = upper, title, lower, title_share


def mark_cases(shapes: Indices, is_long: Bytes, is_first: Bytes, rules: CaseRules, cases: Indices) -> None:
    """Set the case of each token's sentence, as an index of recogniser.CASES."""
    count, begin = len(shapes), 0
    while begin < count:
        capitals = small = titles = long_words = long_titles = 0
        end = begin
        while end < count and (end == begin or not is_first[end]):
            if shapes[end] == rules.upper:
                capitals += 1
            elif shapes[end] == rules.lower:
                small += 1
                long_words += is_long[end]
            elif shapes[end] == rules.title:
                titles += 1
                long_words += is_long[end]
                long_titles += is_long[end]
            end += 1
        words = capitals + small + titles
        case = MIXED
        if words > 0 and capitals == words:
            case = CAPITALS
        elif words > 0 and small == words:
            case = SMALL
        elif long_words > 1 and long_titles >= rules.title_share * long_words:
            case = TITLES
        for at in range(begin, end):
            cases[at] = case
        if case == MIXED and is_first[begin]:
            cases[begin] = FIRST
        begin = end


class ContextRows:
    """The first rows of the weights for properties of tokens besides their words."""

    def __init__(self, firsts: list[int], shapes: int, edge: int):
        self.case, self.phrase, self.tag_shape, self.tag, self.left, self.right = firsts
        self.shapes, self.edge = shapes, edge  # the number of shapes; the tag beyond the ends of a sentence

    def fill(self, context: Any, is_first: Bytes, rows: Any) -> None:
        """Set the rows of each token, given its recogniser.TokenContext."""
        shape, case, phrase, tag = context.shape, context.case, context.phrase, context.tag
        count = len(shape)
        for at in range(count):
            rows[0, at] = self.case + case[at] * self.shapes + shape[at]
            rows[1, at] = self.phrase + phrase[at]
            rows[2, at] = self.tag_shape + tag[at] * self.shapes + shape[at]
            rows[3, at] = self.tag + tag[at]
            rows[4, at] = self.left + (self.edge if at == 0 or is_first[at] else tag[at - 1])
            rows[5, at] = self.right + (self.edge if at + 1 == count or is_first[at + 1] else tag[at + 1])
