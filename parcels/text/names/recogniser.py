"""Recognition of the names of persons, places and organisations in tokens.

The recogniser is an averaged perceptron over words, shapes, part-of-speech tags, gazetteers and the previous labels. It
labels all tokens of a page in one pass, as the tagger does. Capital letters are only one feature: sentences in capitals
(headlines, datelines) or in lower case (e-mails, tags) are a feature too, and gazetteers are in lower case.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain

import numpy as np

from parcels.text.forms import NameForms, shape
from parcels.text.names.gazetteers import gazetteers
from parcels.text.tagging.greedy import CaseRules, ContextRows, Greedy, Tokens, mark_cases
from parcels.text.tagging.tables import (
    FIRST_WORD,
    LEFT,
    OWN,
    RIGHT,
    Bools,
    Indices,
    Stack,
    Table,
    TokenWindows,
    in_lanes,
    label_lists,
)
from parcels.text.tagging.tagger import Tagger, begins
from parcels.text.tagging.weights import Ints, Weights, damaged, read_model
from parcels.text.wordlists import LONG

KIND, VERSION = "names", 1
LABELS = ("B-LOC", "B-ORG", "B-PER", "I-LOC", "I-ORG", "I-PER", "O")
OUTSIDE = LABELS.index("O")
SHAPES = ("Xx", "XX", "X", "X.", "x", "xX", "9", "9x", "x9", "x-", "@", "-")
CASES = ("mixed", "first", "capitals", "small", "titles")
PHRASES = ("", "B-LOC", "I-LOC", "B-ORG", "I-ORG")
BEFORE = (*LABELS, "^", "^^")
MARKS = ("^", "^^", "$", "$$")  # the boundaries of a sentence: two words before it, two after it

W, SUFFIX, PREFIX, SUFFIX2, LISTS = range(5)  # vocabularies: the property of a word that a feature uses
_PLACES = ("", "-1 ", "-2 ", "+1 ", "+2 ")  # OWN, LEFT, LEFT2, RIGHT, RIGHT2
_W = tuple(f"{place}w" for place in _PLACES)
SHAPE_NUMBER = {name: number for number, name in enumerate(SHAPES)}
# By place in a phrase: 1 + its certain label, or 0.
_SURE = np.array([1 + LABELS.index(part) if part in ("B-ORG", "I-ORG") else 0 for part in PHRASES], np.intp)

TITLE_SHARE = 0.7  # of the longer words of a sentence: with more capitalised ones it is a headline
_CASE_RULES = CaseRules(SHAPE_NUMBER["XX"], SHAPE_NUMBER["Xx"], SHAPE_NUMBER["x"], TITLE_SHARE)


def lists_of(word: str) -> tuple[str, ...]:
    """Return the gazetteers that contain a word; an e-mail address that begins with a first name is in `mail`.

    >>> lists_of("PARIS"), lists_of("ann.lee@mail.example"), lists_of("table")
    (('place',), ('mail',), ())
    """
    low = word.lower()
    if "@" in low:
        return ("mail",) if "first" in gazetteers().words.get(re.split(r"[@._+-]", low)[0], ()) else ()
    return gazetteers().words.get(low, ())


def features(word: str) -> tuple[list[tuple[str, str]], ...]:
    """Return the features that a word gives to itself, to its two next words and to its two previous words."""
    low, word_shape, lists = word.lower(), shape(word), lists_of(word)
    own = [
        ("w", low),
        ("shape", word_shape),
        ("suffix", low[-3:]),
        ("prefix", low[:3]),
        ("suffix2", low[-2:]),
        ("bias", ""),
    ]
    own += [("list", name) for name in lists]
    own += [("list+shape", f"{name} {word_shape}") for name in lists or ("none",)]
    near = [("w", low), ("shape", word_shape), *(("list", name) for name in lists)]
    return (
        own,
        [(f"-1 {name}", value) for name, value in near],
        [("-2 w", low), ("-2 shape", word_shape)],
        [(f"+1 {name}", value) for name, value in near],
        [("+2 w", low), ("+2 shape", word_shape)],
    )


def mark_features(mark: int) -> tuple[list[tuple[str, str]], ...]:
    """Return the same features for a sentence boundary."""
    return tuple([(f"{place} w".strip(), MARKS[mark])] for place in ("", "-1", "-2", "+1", "+2"))


@dataclass(frozen=True, slots=True)
class TokenContext:
    """Properties of tokens besides their words, as arrays with one number per token."""

    shape: Indices  # an index of SHAPES
    case: Indices  # of the sentence, an index of CASES
    phrase: Indices  # an index of PHRASES
    tag: Indices  # part of speech, as numbered by the tagger


class NameRecogniser:
    """A trained recogniser of names.

    >>> from parcels.text.analysis import analyse
    >>> [(name.kind, name.text) for name in analyse("Ann Lee of Reuters flew to Paris.").names()]
    [('PER', 'Ann Lee'), ('ORG', 'Reuters'), ('LOC', 'Paris')]
    """

    def __init__(self, weights: Weights, tags: Sequence[str]):
        self._weights = weights
        self._lists = {of: number for number, of in enumerate(sorted({(), ("mail",), *gazetteers().words.values()}))}
        self._lists_of = {word: self._lists[of] for word, of in gazetteers().words.items()}
        self._vocabularies: list[dict[str, int]] = [{} for _ in range(4)]
        for vocabulary, templates in ((W, _W), (SUFFIX, ("suffix",)), (PREFIX, ("prefix",)), (SUFFIX2, ("suffix2",))):
            for value in chain.from_iterable(weights.rows.get(template, {}) for template in templates):
                self._vocabularies[vocabulary].setdefault(value, len(self._vocabularies[vocabulary]) + 1)
        self._tables = self._word_tables()
        # By key in LISTS: lower-case words, marks and numbers in no list but stop words. They do not start names.
        plain = [
            set(lists) <= {"stop"} and word_shape in ("x", "-", "9") for lists in self._lists for word_shape in SHAPES
        ]
        self._is_plain = np.array([True, *plain])
        # By key in LISTS: 1 + the label of _apply_rules, or 0.
        self._rule_label = np.zeros(len(self._is_plain), np.intp)
        self._rule_label[1 + self._lists[("mail",)] * len(SHAPES) + SHAPE_NUMBER["@"]] = 1 + LABELS.index("B-PER")
        for lists in filter(("organisation",).__eq__, self._lists):
            for word_shape in ("Xx", "XX"):
                at = 1 + self._lists[lists] * len(SHAPES) + SHAPE_NUMBER[word_shape]
                self._rule_label[at] = 1 + LABELS.index("B-ORG")
        both = [f"{previous} {second}" for previous in BEFORE for second in BEFORE]
        of_both: Ints = weights.table("both", both)
        of_both += np.repeat(weights.table("previous", BEFORE), len(BEFORE), axis=0)
        shaped = weights.table(
            "previous+shape", [f"{previous} {word_shape}" for word_shape in SHAPES for previous in BEFORE]
        )
        around = (*tags, "^")
        further = [
            weights.table("case+shape", [f"{case} {word_shape}" for case in CASES for word_shape in SHAPES]),
            weights.table("phrase", PHRASES),
            weights.table("tag+shape", [f"{tag} {word_shape}" for tag in tags for word_shape in SHAPES]),
            *(weights.table(template, around) for template in ("tag", "-1 tag", "+1 tag")),
        ]
        self._stack = Stack(self._tables, [*further, shaped])
        of_mail = self._lists[()], self._lists[("mail",)], lists_of
        tables = self._stack.vocabulary, self._stack.first
        self._forms = NameForms(self._vocabularies, self._lists_of, of_mail, SHAPE_NUMBER, tables)
        self._context_rows = ContextRows(self._stack.further[:-1], len(SHAPES), len(tags))
        row = np.arange(len(shaped))
        self._list_of_shape, before = label_lists(
            row // len(BEFORE), row % len(BEFORE), self._stack.further[-1] + row, len(SHAPES)
        )
        self._greedy = Greedy(
            self._stack.weights, self._stack.places, LISTS + 1, len(LABELS), in_lanes(of_both), before
        )

    def _word_tables(self) -> list[Table]:
        """Return the tables of features of one word: its form, its affixes, and its lists and shape together."""
        weights = self._weights
        tables = []
        for vocabulary, places in ((W, _W), (SUFFIX, ("suffix",)), (PREFIX, ("prefix",)), (SUFFIX2, ("suffix2",))):
            values = self._vocabularies[vocabulary]
            for place, template in enumerate(places):
                tables.append(Table(place, vocabulary, weights.placed(template, values, len(values) + 1)))
        names = sorted({"none", *chain.from_iterable(self._lists)})
        by_shape = weights.table("list+shape", [f"{name} {word_shape}" for name in names for word_shape in SHAPES])
        for place, prefix in enumerate(_PLACES):
            rows = np.zeros((len(self._lists), len(SHAPES), len(LABELS)), np.int32)
            rows += weights.table(f"{prefix}shape", SHAPES)
            by_name = weights.table(f"{prefix}list", names)
            if place == OWN:
                rows += weights.table("bias", [""])
            for lists, at in self._lists.items():
                if place in (OWN, LEFT, RIGHT):
                    rows[at] += by_name[[names.index(name) for name in lists]].sum(0)
                if place == OWN:
                    for name in lists or ("none",):
                        rows[at] += by_shape[names.index(name) * len(SHAPES) :][: len(SHAPES)]
            # Row 0 is for sentence boundaries: they have no shape.
            tables.append(
                Table(place, LISTS, np.concatenate((np.zeros_like(rows[0, :1]), rows.reshape(-1, len(LABELS)))))
            )
        return tables

    def keys(self, words: Sequence[str]) -> Ints:
        """Return the rows of each word in the vocabularies, then its rows in the tables."""
        rows = np.empty((len(words), LISTS + 1 + len(self._tables)), np.int32)
        self._forms.fill(list(words), rows)
        return rows

    def mark_keys(self) -> Ints:
        """Return the keys of sentence boundaries."""
        keys = np.zeros((FIRST_WORD, 5), np.int32)
        keys[:, W] = [self._vocabularies[W].get(mark, 0) for mark in MARKS]
        return np.concatenate([keys, self._stack.rows(keys)], axis=1)

    def decode(self, places: TokenWindows, keys: Ints, context: TokenContext) -> Indices:
        """Return the labels of tokens; `keys` are by word number."""
        lists = keys[places.own, LISTS]
        is_named = may_be_named(lists, self._is_plain)
        labels = np.full(len(places), OUTSIDE, np.intp)
        beside = np.empty((len(self._stack.further) - 1, len(places)), np.int32)
        self._context_rows.fill(context, places.is_first.view(np.uint8), beside)
        tokens = Tokens(places.own, places.is_first, labels, is_named, self._list_of_shape.take(context.shape))
        self._greedy.decode(tokens, keys, beside, None)
        return self._apply_rules(labels, lists, context)

    def _apply_rules(self, labels: Indices, lists: Ints, context: TokenContext) -> Indices:
        """Apply rules for cases that are too rare in the training data, and return the labels.

        An e-mail address like ann.lee@mail.example is a person. A listed organisation of several words is one (The New
        York Times is no place). A listed organisation of one word is one if the perceptron found no name.
        """
        listed = np.flatnonzero(self._rule_label.take(lists))
        listed = listed[labels[listed] == OUTSIDE]
        labels[listed] = self._rule_label[lists[listed]] - 1
        phrased = np.flatnonzero(_SURE.take(context.phrase))
        phrased = phrased[context.shape[phrased] != SHAPE_NUMBER["x"]]
        labels[phrased] = _SURE[context.phrase[phrased]] - 1
        return labels

    def label_sentences(self, sentences: Sequence[Sequence[str]], tagger: Tagger) -> list[list[str]]:
        """Return the labels of tokenised sentences, one list per sentence."""
        tokens = list(chain.from_iterable(sentences))
        is_first = begins(sentences)
        number = {word: at for at, word in enumerate(dict.fromkeys(tokens), FIRST_WORD)}
        keys = np.concatenate((self.mark_keys(), self.keys(list(number))))
        places = TokenWindows.of(np.array([number[word] for word in tokens], np.intp), is_first)
        context = token_contexts(tokens, is_first, tagger.numbers(tagger.tag_sentences(sentences)))
        labels = [LABELS[label] for label in self.decode(places, keys, context).tolist()]
        ends = np.cumsum([len(sentence) for sentence in sentences]).tolist()
        return [labels[end - len(sentence) : end] for sentence, end in zip(sentences, ends, strict=True)]


def may_be_named(lists: Ints, is_plain: Bools) -> Bools:
    """Return which tokens may be part of a name: those that are not plain, and their neighbours."""
    core = ~is_plain.take(lists)
    result = core.copy()
    result[1:] |= core[:-1]
    result[:-1] |= core[1:]
    return result


def token_contexts(tokens: Sequence[str], is_first: Bools, tag: Indices) -> TokenContext:
    """Return the context of tokens whose sentences begin at `is_first`."""
    shapes = np.array([SHAPE_NUMBER[shape(word)] for word in tokens], np.intp)
    is_long = np.array([len(word) >= LONG for word in tokens], np.bool_)
    phrases = gazetteers().phrases
    begin = [at for at, word in enumerate(tokens) if word.lower() in phrases]
    return TokenContext(shapes, sentence_cases(shapes, is_long, is_first), phrase_labels(tokens, begin, is_first), tag)


def sentence_cases(shapes: Indices, is_long: Bools, is_first: Bools) -> Indices:
    """Return the case of each token's sentence, as an index of CASES."""
    cases = np.empty(len(shapes), np.intp)
    mark_cases(shapes, is_long.view(np.uint8), is_first.view(np.uint8), _CASE_RULES, cases)
    return cases


def phrase_labels(tokens: Sequence[str], may_begin: Sequence[int], is_first: Bools) -> Indices:
    """Return each token's place in a listed name of several words, as an index of PHRASES."""
    places = np.zeros(len(tokens), np.intp)
    pairs = gazetteers().pairs
    done = 0
    for at in may_begin:
        if at < done or at + 1 == len(tokens):
            continue
        for rest, kind in pairs.get((tokens[at].lower(), tokens[at + 1].lower()), ()):
            end = at + 1 + len(rest)
            if tuple(map(str.lower, tokens[at + 1 : end])) == rest and not is_first[at + 1 : end].any():
                places[at] = PHRASES.index(f"B-{kind}")
                places[at + 1 : end] = PHRASES.index(f"I-{kind}")
                done = end
                break
    return places


def open_names(folder: Traversable, tags: Sequence[str]) -> NameRecogniser:
    """Read the recogniser in a model folder. Raise ModelMismatch for other content or another tagger's tags."""
    meta, arrays = read_model(folder, kind=KIND, version=VERSION)
    try:
        if tuple(meta["labels"]) != LABELS or not set(meta["tags"]) <= set(tags):
            raise ValueError("its labels or part-of-speech tags are not those of this code and tagger")
        return NameRecogniser(Weights.from_arrays(arrays, LABELS), tags)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise damaged(folder, KIND, error) from error


@cache
def shipped(tags: tuple[str, ...]) -> NameRecogniser:
    """Return the recogniser that comes with the package, for a tagger with these tags."""
    return open_names(files("parcels") / "models" / "names", tags)
