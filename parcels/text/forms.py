# cython: wraparound=False, cdivision=True
"""The rows of a word form in the weight tables of the tagger and of the name recogniser."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from parcels.maps import StringMap

LISTS = 4  # recogniser.LISTS: the column of a word's lists and shape
VOCABULARIES = 5  # of the tagger, and of the recogniser; row 0 is for unknown words


def normalize(word: str) -> str:
    """Return the normalised word that word features use.

    >>> [normalize(word) for word in ("Fire", "1984", "12th", "co-founder", "-")]
    ['fire', '!YEAR', '!DIGITS', '!HYPHEN', '-']
    """
    if not word:
        return word
    if word[0] != "-" and "-" in word:
        return "!HYPHEN"
    if word[0].isdigit():
        return "!YEAR" if len(word) == 4 and word.isdigit() else "!DIGITS"
    return word.lower()


def shape(word: str) -> str:
    """Return the shape of a word: the kinds of characters that it has.

    >>> [shape(word) for word in ("Ann", "WASHINGTON", "J.", "said", "iPod", "1984", "3rd", "ann@mail.example", "(")]
    ['Xx', 'XX', 'X.', 'x', 'xX', '9', '9x', '@', '-']
    """
    if word.isalpha():
        if word.islower():
            return "x"
        if word.isupper():
            return "XX" if len(word) > 1 else "X"
        if not word[0].isupper():
            return "xX" if word != word.lower() else "x"
        return "Xx"
    has_alpha = has_digit = has_any = is_address = False
    for at in range(len(word)):
        letter = word[at]
        has_alpha = has_alpha or letter.isalpha()
        has_digit = has_digit or letter.isdigit()
        has_any = has_any or letter.isalnum()
        is_address = is_address or letter == "@" or letter == "/"
    if not has_any:
        return "-"
    if is_address:
        return "@"
    if word[0].isdigit():
        return "9x" if has_alpha else "9"
    if word[len(word) - 1] == "." and word[0].isupper():
        return "X."
    if has_digit:
        return "x9"
    return "Xx" if word[0].isupper() else "x-"


def _from(size: int, letters: int) -> int:
    """Return where the last `letters` letters of a word begin."""
    return size - letters if size > letters else 0


class TagForms:
    """The vocabularies of the tagger, numbered from 1; the fifth is that of a form or its suffix."""

    def __init__(self, vocabularies: Sequence[Mapping[str, int]], lists: Any, vocabulary: Any, first: Any):
        self.forms, self.suffixes, self.prefixes, self.form_suffixes = [StringMap(list(of)) for of in vocabularies]
        self.lists = lists.data  # by form: its list of previous labels (tables.label_lists)
        self.vocabulary, self.first = vocabulary.data, first.data  # by table: its vocabulary, and its first row

    def fill(self, words: list[str], forms: list[str], rows: Any) -> None:
        """Fill the row of each word: its list of previous labels, and its rows in the tables."""
        keys = np.zeros(VOCABULARIES, np.intc).data
        for row in range(len(words)):
            word, form = words[row], forms[row]
            size = len(form)
            keys[0] = self.forms.find(form, 0, size) + 1
            keys[3] = self.form_suffixes.find(form, _from(size, 3), size) + 1
            size = len(word)
            keys[1] = self.suffixes.find(word, _from(size, 3), size) + 1
            keys[2] = self.prefixes.find(word, 0, 1 if size else 0) + 1
            keys[4] = keys[0]
            if keys[0] == 0 and keys[3] > 0:
                keys[4] = keys[3] + self.forms.count
            rows[row, 0] = self.lists[keys[0]]
            for table in range(len(self.vocabulary)):
                rows[row, 1 + table] = keys[self.vocabulary[table]] + self.first[table]


class NameForms:
    """The vocabularies of the name recogniser, numbered from 1, and the gazetteers by word."""

    def __init__(
        self,
        vocabularies: Sequence[Mapping[str, int]],
        lists: dict[str, int],
        of_mail: tuple[int, int, Callable[[str], Any]],
        shapes: dict[str, int],
        tables: tuple[Any, Any],
    ):
        self.words, self.suffixes, self.prefixes, self.suffixes2 = [StringMap(list(of)) for of in vocabularies]
        self.lists, self.shapes = lists, shapes
        self.none, self.mail, self.is_mail = (
            of_mail  # the numbers of no list and of the list of addresses, and a test for the latter
        )
        self.vocabulary, self.first = tables[0].data, tables[1].data

    def fill(self, words: list[str], rows: Any) -> None:
        """Fill the row of each word: its rows in the vocabularies, then its rows in the tables."""
        for row in range(len(words)):
            word = words[row]
            low = word.lower()
            size = len(low)
            shape_number = self.shapes[shape(word)]
            if "@" in low:
                lists = self.mail if self.is_mail(word) else self.none
            else:
                lists = self.lists.get(low, self.none)
            rows[row, 0] = self.words.find(low, 0, size) + 1
            rows[row, 1] = self.suffixes.find(low, _from(size, 3), size) + 1
            rows[row, 2] = self.prefixes.find(low, 0, 3 if size > 3 else size) + 1
            rows[row, 3] = self.suffixes2.find(low, _from(size, 2), size) + 1
            rows[row, LISTS] = 1 + lists * len(self.shapes) + shape_number
            for table in range(len(self.vocabulary)):
                rows[row, VOCABULARIES + table] = rows[row, self.vocabulary[table]] + self.first[table]
