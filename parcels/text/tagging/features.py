"""The features of the tagger by number, as they are stored: each word is stored once, not once per feature.

The features are those of NLTK's PerceptronTagger (Honnibal 2013). A feature's number is that of its word or labels.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.text.tagging.tables import LEFT, LEFT2, OWN, RIGHT, RIGHT2, Indices
from parcels.text.tagging.weights import SCALE, Arrays, Ints, Weights

STARTS = ("-START-", "-START2-")
# Vocabularies: the property of a word that a feature uses.
FORM, SUFFIX, PREFIX, FORM_SUFFIX = range(4)
_TEXTS = ("forms", "suffixes", "prefixes", "form_suffixes")  # the arrays that store them, one line per word
# NLTK's features of one word each: name, place, vocabulary.
OF_WORDS = (
    ("i word", OWN, FORM), ("i suffix", OWN, SUFFIX), ("i pref1", OWN, PREFIX), ("i-1 word", LEFT, FORM),
    ("i-1 suffix", LEFT, FORM_SUFFIX), ("i-2 word", LEFT2, FORM), ("i+1 word", RIGHT, FORM),
    ("i+1 suffix", RIGHT, FORM_SUFFIX), ("i+2 word", RIGHT2, FORM),
)  # fmt: skip
BIAS, PREVIOUS, SECOND, BOTH, PAIR = "bias", "i-1 tag", "i-2 tag", "i tag+i-2 tag", "i-1 tag+i word"
TEMPLATES = (*(template for template, _, _ in OF_WORDS), BIAS, PREVIOUS, SECOND, BOTH, PAIR)
_VOCABULARY = {template: vocabulary for template, _, vocabulary in OF_WORDS}


@dataclass(frozen=True)
class TaggerFeatures:
    """Sparse rows of weights, template by template in the order of TEMPLATES, by number in each."""

    labels: tuple[str, ...]  # in the order of the columns
    vocabularies: Sequence[Mapping[str, int]]  # words numbered from 1, those with most weights first
    numbers: dict[str, Indices]  # of each template's features
    indptr: Ints
    columns: NDArray[np.intp]
    values: Ints

    @classmethod
    def of(cls, weights: Weights) -> "TaggerFeatures":
        """Number the features of weights. Features of unknown previous labels are left out."""
        before, rows = _before(weights.labels), weights.rows
        pairs = {value: value.partition(" ")[::2] for value in rows.get(PAIR, {})}
        weight_count = np.diff(weights.indptr).tolist()
        word_counts: list[dict[str, int]] = [{} for _ in _TEXTS]
        for template, _, vocabulary in OF_WORDS:
            counts = word_counts[vocabulary]
            for value, row in rows.get(template, {}).items():
                counts[value] = counts.get(value, 0) + weight_count[row]
        for tag, word in pairs.values():
            if tag in before:
                word_counts[FORM][word] = word_counts[FORM].get(word, 0) + 1
        # Words with many weights are frequent: the rows that a page needs are then close in memory.
        vocabularies = [
            {value: number for number, value in enumerate(sorted(counts, key=counts.__getitem__, reverse=True), 1)}
            for counts in word_counts
        ]
        number = _numbering(vocabularies, before)
        numbers, order = {}, []
        for template in TEMPLATES:
            of = sorted((number(template, value), row) for value, row in rows.get(template, {}).items())
            of = [(at, row) for at, row in of if at >= 0]
            numbers[template] = np.array([at for at, _ in of], np.intp)
            order += [row for _, row in of]
        at = np.array(order, np.intp)
        count = weights.indptr[at + 1] - weights.indptr[at]
        indptr = np.concatenate(([0], np.cumsum(count))).astype(np.int32)
        cell = np.arange(int(indptr[-1])) + np.repeat(weights.indptr[at] - indptr[:-1], count)
        return cls(weights.labels, vocabularies, numbers, indptr, weights.columns[cell], weights.values[cell])

    @classmethod
    def from_arrays(cls, arrays: Arrays, labels: Sequence[str]) -> "TaggerFeatures":
        """Read stored arrays. Raise ValueError if they do not fit together."""
        texts = [arrays[name].tobytes().decode() for name in _TEXTS]
        words = [text.split("\n") if text else [] for text in texts]
        vocabularies = [dict(zip(of, range(1, len(of) + 1), strict=True)) for of in words]
        count, columns, values, sizes = (arrays[name] for name in ("count", "columns", "values", "templates"))
        if len(sizes) != len(TEMPLATES) or int(sizes.min()) < 0 or int(sizes.sum()) != len(count):
            raise ValueError("the numbers of features and templates do not fit together")
        if len(arrays["numbers"]) != len(count) or not int(count.sum()) == len(columns) == len(values):
            raise ValueError("the numbers of features and weights do not fit together")
        if list(map(len, words)) != list(map(len, vocabularies)):
            raise ValueError("a word occurs twice in a vocabulary")
        if len(columns) and not 0 <= int(columns.min()) <= int(columns.max()) < len(labels):
            raise ValueError("a weight belongs to a label that is not listed")
        ends = np.cumsum(sizes)
        numbers = dict(zip(TEMPLATES, np.split(arrays["numbers"].astype(np.intp), ends[:-1]), strict=True))
        before = len(labels) + len(STARTS)
        most = {BIAS: 1, PREVIOUS: before, SECOND: before, BOTH: before**2, PAIR: before * (1 + len(words[FORM]))}
        for template, of in numbers.items():
            low = 1 if template in _VOCABULARY else before if template == PAIR else 0
            end = most[template] if template in most else 1 + len(words[_VOCABULARY[template]])
            if len(of) and not (low <= of[0] and of[-1] < end and (np.diff(of) > 0).all()):
                raise ValueError(f"the features '{template}' do not follow the order of their words and labels")
        indptr = np.concatenate(([0], np.cumsum(count, dtype=np.int64))).astype(np.int32)
        return cls(tuple(labels), vocabularies, numbers, indptr, columns.astype(np.intp), values.astype(np.int32))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to store."""
        texts = ("\n".join(vocabulary).encode() for vocabulary in self.vocabularies)
        small = np.int16 if not len(self.values) or np.abs(self.values).max() < 1 << 15 else np.int32
        return {
            **{name: np.frombuffer(text, np.uint8) for name, text in zip(_TEXTS, texts, strict=True)},
            "templates": np.array([len(self.numbers[template]) for template in TEMPLATES], np.int32),
            "numbers": np.concatenate(list(self.numbers.values())).astype(np.int32),
            "count": np.diff(self.indptr).astype(np.uint16),
            "columns": self.columns.astype(np.uint16),
            "values": self.values.astype(small),
        }

    @cached_property
    def before(self) -> dict[str, int]:
        """Return the numbers of previous labels, and of the marks for the start of a sentence."""
        return _before(self.labels)

    @cached_property
    def _first(self) -> dict[str, int]:
        """Return the first row of each template."""
        ends = np.cumsum([len(self.numbers[template]) for template in TEMPLATES]).tolist()
        return dict(zip(TEMPLATES, [0, *ends[:-1]], strict=True))

    def put(self, template: str, table: NDArray[Any], rows: Indices | None = None) -> None:
        """Write a template's weights into a table in the tagger's label order, one row per number or into `rows`."""
        first, numbers, cells = self._first[template], self.numbers[template], self._cells(template)
        count = np.diff(self.indptr[first : first + len(numbers) + 1])
        at = np.repeat(numbers if rows is None else rows, count)
        table[at, len(self.labels) - 1 - self.columns[cells]] = self.values[cells]

    def most(self, template: str) -> int:
        """Return the largest absolute value of a template's weights."""
        return int(np.abs(self.values[self._cells(template)]).max(initial=0))

    def _cells(self, template: str) -> slice:
        first = self._first[template]
        return slice(int(self.indptr[first]), int(self.indptr[first + len(self.numbers[template])]))

    def of_feature(self, template: str, value: str) -> dict[str, float]:
        """Return the weights of one feature by label."""
        number = _numbering(self.vocabularies, self.before)(template, value)
        at = int(np.searchsorted(self.numbers[template], number))
        if at == len(self.numbers[template]) or self.numbers[template][at] != number:
            return {}
        return self._row(self._first[template] + at)

    def _row(self, row: int) -> dict[str, float]:
        span = slice(int(self.indptr[row]), int(self.indptr[row + 1]))
        labels = [self.labels[column] for column in self.columns[span]]
        return dict(zip(labels, (self.values[span] / SCALE).tolist(), strict=True))

    def all(self) -> Iterable[tuple[str, str, dict[str, float]]]:
        """Yield every feature: its template, value and weights."""
        words = [["", *vocabulary] for vocabulary in self.vocabularies]
        before = list(self.before)
        value = {
            **{template: words[vocabulary].__getitem__ for template, _, vocabulary in OF_WORDS},
            BIAS: lambda number: "",
            PREVIOUS: before.__getitem__,
            SECOND: before.__getitem__,
            BOTH: lambda number: f"{before[number // len(before)]} {before[number % len(before)]}",
            PAIR: lambda number: f"{before[number % len(before)]} {words[FORM][number // len(before)]}",
        }
        every = ((template, number) for template in TEMPLATES for number in self.numbers[template].tolist())
        for row, (template, number) in enumerate(every):
            yield template, value[template](number), self._row(row)


def _before(labels: Sequence[str]) -> dict[str, int]:
    """Return the numbers of previous labels. The tagger's label order is reversed: see Tagger."""
    return {label: number for number, label in enumerate(chain(reversed(labels), STARTS))}


def _numbering(vocabularies: Sequence[Mapping[str, int]], before: Mapping[str, int]) -> Any:
    """Return a function from template and value to a feature's number, -1 for impossible features."""

    def of(template: str, value: str) -> int:
        if template in _VOCABULARY:
            return vocabularies[_VOCABULARY[template]].get(value, -1)
        if template == BIAS:
            return 0
        tag, _, rest = value.partition(" ")
        if template in (PREVIOUS, SECOND):
            return before.get(value, -1)
        other = before.get(rest, -1) if template == BOTH else vocabularies[FORM].get(rest, -1)
        if tag not in before or other < 0:
            return -1
        return before[tag] * len(before) + other if template == BOTH else other * len(before) + before[tag]

    return of
