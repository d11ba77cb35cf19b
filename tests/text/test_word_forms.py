"""Properties computed when a word form is first met, for words and for junk."""

import random

import pytest

from parcels.text import analysis
from parcels.text.chunks import Chunks
from parcels.text.forms import shape
from parcels.text.lexicon import Lexicon, term
from parcels.text.names.gazetteers import gazetteers
from parcels.text.stems import find_stem, stems
from parcels.text.tagging.tagger import Tagger
from parcels.text.tagging.weights import Weights
from parcels.text.tokens import tokenize
from parcels.text.wordlists import Flag, flags

MODELS = analysis.shipped()._models
_CHOSEN = random.Random(3)
_JUNK = [
    "".join(_CHOSEN.choices("abcXYZ019.,-'’\"()@:/&%$!?é日_*İßǅ٣²½\ud800", k=size % 9 + 1)) for size in range(4000)
]
WORDS = [
    *list(gazetteers().words)[:1500],
    *(word.title() for word in list(gazetteers().words)[:500]),
    *_JUNK,
    *("ann.lee@mail.example", "x@y", "J.", "WAS", "n't", "1984", "12th", "co-founder", "-", "...", "a" * 70, "ﬁnd"),
]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Ann", "Xx"), ("É", "X"), ("ÉTÉ", "XX"), ("ßa", "x"), ("日本", "x"), ("ǅab", "xX"), ("aB", "xX"), ("²", "9"),
     ("½", "x-"), ("٣a", "9x"), ("a٣", "x9"), ("É.", "X."), ("é.", "x-"), ("-", "-"), ("\ud800", "-"), ("a/b", "@"),
     ("/", "-"), ("O'Neil", "Xx"), ("", "-")],
)  # fmt: skip
def test_a_word_has_the_shape_of_its_characters(word: str, expected: str) -> None:
    assert shape(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Was", Flag.WORD | Flag.STOP | Flag.BE),
        ("N't", Flag.STOP | Flag.NEGATIVE),
        ("?!", Flag.ENDS),
        (",", Flag.COMMA),
        ("é1", Flag.WORD | Flag.SMALL | Flag.NUMBER),
        ("Zyxwv", Flag.WORD | Flag.LONG),
        ("\ud800", 0),
    ],
)
def test_a_word_has_the_flags_of_its_lists_and_letters(word: str, expected: int) -> None:
    assert flags([word]).tolist() == [expected]


def test_a_word_has_the_rows_of_its_form_suffix_and_prefix() -> None:
    weights = Weights.from_dicts(
        {("i word", "fires"): {"NN": 1.0}, ("i suffix", "ing"): {"VB": 2.0}, ("i pref1", "Q"): {"JJ": 4.0}},
        ["JJ", "NN", "VB"],
    )
    assert Tagger(weights, {"a": "JJ"}).tag(["Fires", "xing", "Qx", "a"]) == ["NN", "VB", "JJ", "JJ"]


def test_a_chunk_is_read_up_to_its_longest_allowed_beginning() -> None:
    chunks = Chunks()
    chunks.add(["ab", "x日", "no-one"], [[7], [8], [4, 5, 6]])
    rows, counts, missing, places = chunks.read(["abc\u2003 x日", "", " no-one ab"], 2)
    assert (rows.tolist(), counts.tolist(), missing, places) == ([0, 1, -1, 0], [2, 0, 2], ["no"], [2])
    rows, counts, missing, places = chunks.read(["ab x日", "", " no-one ab"], 9)
    words, is_spaced, begin, text_of = chunks.joined(rows, counts)
    assert (words.tolist(), begin.tolist(), text_of.tolist()) == ([7, 8, 4, 5, 6, 7], [0, 2, 2, 6], [0, 0, 2, 2, 2, 2])
    assert is_spaced.tolist() == [True, True, True, False, False, True]
    with pytest.raises(KeyError):
        chunks.fill(rows, ["new"], [0])


def test_stems_of_many_are_those_of_each() -> None:
    assert stems(WORDS, term) == [term(word) for word in WORDS]
    assert stems(["News", "skies", "a"], str.upper) == [find_stem(word) for word in ("News", "skies", "a")]


def test_texts_are_read_alike_when_their_words_are_new_and_when_they_are_known() -> None:
    texts = [" ".join(WORDS[at : at + 50]) for at in range(0, 600, 50)] + ["", " ", "new " + "x" * 300]
    fresh = Lexicon(MODELS)
    known, first = fresh.read(texts)
    _, again = fresh.read(texts)
    for one, other in zip(first, again, strict=True):
        assert (one == other).all()
    for number, text in enumerate(texts[:-1]):
        words = [known.words[word] for word in first.words[first.begin[number] : first.begin[number + 1]].tolist()]
        assert words == tokenize(text)
