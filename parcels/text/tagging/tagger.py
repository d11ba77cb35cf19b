"""Penn Treebank part-of-speech tags by an averaged perceptron. The tags equal those of NLTK's PerceptronTagger.

The features of a word form are resolved once, to a few row numbers of weight tables; labelling a page adds these rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.text.forms import TagForms, normalize
from parcels.text.tagging.features import (
    BIAS,
    BOTH,
    FORM,
    FORM_SUFFIX,
    OF_WORDS,
    PAIR,
    PREVIOUS,
    SECOND,
    STARTS,
    TEMPLATES,
    TaggerFeatures,
)
from parcels.text.tagging.greedy import Greedy, Tokens
from parcels.text.tagging.tables import (
    END,
    END2,
    FIRST_WORD,
    LEFT,
    RIGHT,
    START,
    START2,
    Bools,
    Indices,
    Stack,
    Table,
    TokenWindows,
    in_lanes,
    label_lists,
    stacked,
)  # fmt: skip
from parcels.text.tagging.weights import NONE, Ints, Weights, damaged, read_model

KIND, VERSION = "tagger", 2

_MARKS = {START: "-START-", START2: "-START2-", END: "-END-", END2: "-END2-"}
NEAR = FORM_SUFFIX + 1  # one more vocabulary: the form, or the suffix of an unknown form
_NOTHING_BESIDE = np.zeros((0, 0), np.int32)


class Tagger:
    """A trained tagger.

    >>> tagger = shipped()
    >>> tagger.tag(["She", "reports", "on", "two", "reports", "."])
    ['PRP', 'VBZ', 'IN', 'CD', 'NNS', '.']
    """

    def __init__(self, weights: Weights | TaggerFeatures, tagdict: Mapping[str, str]):
        features = weights if isinstance(weights, TaggerFeatures) else TaggerFeatures.of(weights)
        # On equal scores NLTK takes the last label in the alphabet and this code the first: the order is reversed.
        self.labels = tuple(reversed(features.labels))
        self.features = features
        self._number = {label: number for number, label in enumerate(self.labels)}
        self._before = (*self.labels, *STARTS)
        self._decided = {word: self._number[tag] for word, tag in tagdict.items()}
        self._vocabularies = list(map(dict, features.vocabularies))
        self._tables, self._pairs = self._all_tables()
        # Pairs of a form and its previous label -> row; row 0 is for pairs without weights.
        pairs, before = features.numbers[PAIR], len(self._before)
        self._stack = Stack(self._tables, [self._pairs])
        rows = self._stack.further[0] + np.arange(1, len(pairs) + 1)
        forms = len(self._vocabularies[FORM]) + 1
        list_of_form, lists = label_lists(pairs // before, pairs % before, rows, forms)
        self._forms = TagForms(self._vocabularies, list_of_form, self._stack.vocabulary, self._stack.first)
        both = in_lanes(self._transitions())
        self._greedy = Greedy(self._stack.weights, self._stack.places, 1, len(self.labels), both, lists)

    def _all_tables(self) -> tuple[list[Table], NDArray[np.int16] | Ints]:
        """Return the tables of words, and of pairs of a previous label and a word, as parts of one array."""
        features, (forms, _, _, form_suffixes) = self.features, self._vocabularies
        sizes = [len(vocabulary) + 1 for vocabulary in self._vocabularies]
        alone = [
            (place, vocabulary, template) for template, place, vocabulary in OF_WORDS if place not in (LEFT, RIGHT)
        ]
        beside = [(place, NEAR, name) for place, name in ((LEFT, "i-1"), (RIGHT, "i+1"))]
        sizes.append(len(forms) + len(form_suffixes) + 1)  # of NEAR
        parts = stacked(
            [*(sizes[vocabulary] for _, vocabulary, _ in (*alone, *beside)), len(features.numbers[PAIR]) + 1],
            len(self.labels),
            self._kind(),
        )
        for (_, _, template), part in zip(alone, parts, strict=False):
            features.put(template, part)
        ends = np.fromiter((form_suffixes.get(form[-3:], 0) for form in forms), np.intp, len(forms))
        for (_, _, name), part in zip(beside, parts[len(alone) :], strict=False):
            # Rows of forms include those of their suffixes; rows of suffixes alone follow.
            features.put(f"{name} word", part)
            suffixes = np.zeros((len(form_suffixes) + 1, len(self.labels)), part.dtype)
            features.put(f"{name} suffix", suffixes)
            part[1 : len(forms) + 1] += suffixes.take(ends, 0)
            part[len(forms) + 1 :] = suffixes[1:]
        features.put(PAIR, parts[-1], np.arange(1, len(parts[-1])))
        return [
            Table(place, vocabulary, part)
            for (place, vocabulary, _), part in zip((*alone, *beside), parts, strict=False)
        ], parts[-1]

    def _kind(self) -> Any:
        """Return the smallest integer type that holds every weight, and the sums of two that are merged."""
        most = {template: self.features.most(template) for template in TEMPLATES}
        sums = (most[f"{place} word"] + most[f"{place} suffix"] for place in ("i-1", "i+1"))
        return np.int16 if max(*most.values(), *sums) < 1 << 15 else np.int32

    def _transitions(self) -> Ints:
        """Return the weights of previous labels: one row per pair of the previous label and the one before it."""
        size, labels = len(self._before), len(self.labels)
        weights = np.zeros((size, size, labels), np.int32)
        self.features.put(BOTH, weights.reshape(size**2, labels))
        one, two, bias = (np.zeros((of, labels), np.int32) for of in (size, size, 1))
        for template, table in ((PREVIOUS, one), (SECOND, two), (BIAS, bias)):
            self.features.put(template, table)
        weights += one[:, None, :] + two[None, :, :] + bias
        return weights.reshape(size**2, labels)

    def decided(self, words: Iterable[str]) -> list[int]:
        """Return for each word the number of its label if it has only one, else NONE."""
        return [self._decided.get(word, NONE) for word in words]

    def keys(self, words: Sequence[str]) -> Ints:
        """Return for each word its list of previous labels, and its rows in the tables."""
        return self._keys(words, [normalize(word) for word in words])

    def mark_keys(self) -> Ints:
        """Return the keys of sentence boundaries, numbers START to END2."""
        marks = [_MARKS[mark] for mark in range(FIRST_WORD)]
        return self._keys(marks, marks)

    def _keys(self, words: Sequence[str], forms: list[str]) -> Ints:
        rows = np.empty((len(words), 1 + len(self._tables)), np.int32)
        self._forms.fill(list(words), forms, rows)
        return rows

    def decode(self, places: TokenWindows, decided: Indices, keys: Ints, words: Sequence[str]) -> Indices:
        """Return the labels of tokens; `decided` and `keys` are by word number, `words` are the tokens."""
        labels = decided.take(places.own)
        lists = keys[places.own, 0]
        tokens = Tokens(places.own, places.is_first, labels, labels == NONE, lists)

        def on_tie(token: int, previous: int, second: int) -> int:
            return self._break_tie(token, previous, second, places, words)

        self._greedy.decode(tokens, keys, _NOTHING_BESIDE, on_tie)
        return labels

    def _break_tie(self, token: int, previous: int, second: int, places: TokenWindows, words: Sequence[str]) -> int:
        """Return the label of a token with tied scores: NLTK sums floats in a fixed order, and the last bit decides."""
        around = [
            _MARKS.get(int(of[token])) or normalize(words[token + step])
            for of, step in zip(places.words, (0, -1, -2, 1, 2), strict=True)
        ]
        before, second_before = self._before[previous], self._before[second]
        word = words[token]
        features = (
            ("bias", ""), ("i suffix", word[-3:]), ("i pref1", word[:1]), ("i-1 tag", before),
            ("i-2 tag", second_before), ("i tag+i-2 tag", f"{before} {second_before}"), ("i word", around[0]),
            ("i-1 tag+i word", f"{before} {around[0]}"), ("i-1 word", around[1]), ("i-1 suffix", around[1][-3:]),
            ("i-2 word", around[2]), ("i+1 word", around[3]), ("i+1 suffix", around[3][-3:]), ("i+2 word", around[4]),
        )  # fmt: skip
        scores = dict.fromkeys(self.labels, 0.0)
        for template, value in features:
            for label, weight in self.features.of_feature(template, value).items():
                scores[label] += weight
        return self._number[max(scores, key=lambda label: (scores[label], label))]

    def tag_sentences(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of each sentence's tokens."""
        tokens = list(chain.from_iterable(sentences))
        number = {word: at for at, word in enumerate(dict.fromkeys(tokens), FIRST_WORD)}
        keys = np.concatenate((self.mark_keys(), self.keys(list(number))))
        decided = np.array([*[NONE] * FIRST_WORD, *self.decided(number)], np.intp)
        places = TokenWindows.of(np.array([number[word] for word in tokens], np.intp), begins(sentences))
        labels = [self.labels[label] for label in self.decode(places, decided, keys, tokens).tolist()]
        ends = np.cumsum([len(sentence) for sentence in sentences], dtype=np.intp).tolist()
        return [labels[end - len(sentence) : end] for sentence, end in zip(sentences, ends, strict=True)]

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the tags of one sentence's tokens."""
        return self.tag_sentences([tokens])[0]

    def to_nltk(self) -> tuple[dict[str, dict[str, float]], dict[str, str], list[str]]:
        """Return weights, unambiguous words and labels in the format of NLTK's tagger (`decode_json_params`)."""
        weights = {
            f"{template} {value}" if value or template != BIAS else template: row
            for template, value, row in self.features.all()
        }
        return weights, {word: self.labels[number] for word, number in self._decided.items()}, list(self.labels)

    def numbers(self, tags: Iterable[Iterable[str]]) -> Indices:
        """Return the numbers of tags in one array."""
        return np.array([self._number[tag] for tag in chain.from_iterable(tags)], np.intp)


def begins(sentences: Sequence[Sequence[str]]) -> Bools:
    """Return for each token of the sentences whether it is the first of its sentence."""
    ends = np.cumsum([0, *[len(sentence) for sentence in sentences]], dtype=np.intp)
    is_first = np.zeros(int(ends[-1]), np.bool_)
    is_first[ends[ends < len(is_first)]] = True
    return is_first


def from_nltk(
    weights: Mapping[str, Mapping[str, float]], tagdict: Mapping[str, str], classes: Iterable[str]
) -> tuple[Weights, dict[str, str]]:
    """Convert the weights and words of an NLTK tagger."""
    templates = sorted(TEMPLATES, key=len)
    features: dict[tuple[str, str], Mapping[str, float]] = {}
    for feature, row in weights.items():
        template = next(name for name in reversed(templates) if feature == name or feature.startswith(name + " "))
        features[template, feature[len(template) + 1 :]] = row
    return Weights.from_dicts(features, sorted(classes)), dict(tagdict)


def open_tagger(folder: Traversable) -> Tagger:
    """Read the tagger in a model folder. Raise ModelMismatch for any other content."""
    meta, arrays = read_model(folder, kind=KIND, version=VERSION)
    try:
        return Tagger(TaggerFeatures.from_arrays(arrays, meta["labels"]), meta["tagdict"])
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise damaged(folder, KIND, error) from error


@cache
def shipped() -> Tagger:
    """Return the tagger that comes with the package."""
    return open_tagger(files("parcels") / "models" / "tagger")
