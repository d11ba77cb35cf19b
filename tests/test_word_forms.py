"""What is known of a word form when it is first met: compiled and in plain Python the same, for words and for junk."""

import random

import numpy as np
import pytest

from parcels.nlp import analysis, lexicon, tagger, wordlists
from parcels.nlp.decode import form_loops
from parcels.nlp.gazetteers import gazetteers
from parcels.nlp.lexicon import Lexicon, term
from parcels.nlp.stems import find_stem, stems
from parcels.nlp.tokens import tokenize

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


FROM = len(MODELS.tagger.mark_keys())


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of word forms is compiled."""
    if form_loops is None:
        pytest.skip("nothing is compiled here: make setup")
    for module in (tagger, lexicon):
        monkeypatch.setattr(module, "form_loops", None)


def _known(words: list[str]) -> list[object]:
    known, _ = Lexicon(MODELS).read([" ".join(words)])
    arrays = known.tag_keys, known.decided, known.name_keys, known.shapes, known.flags, known.idf
    return [known.words[: known.size], known.stems[: known.size], *(array[: known.size] for array in arrays)]


COMPILED = _known(WORDS), MODELS.tagger.keys(WORDS)


@pytest.mark.usefixtures("plain")
def test_word_forms_are_known_alike_compiled_and_plain() -> None:
    plain = _known(WORDS), MODELS.tagger.keys(WORDS)
    for found, expected in zip([*COMPILED[0], COMPILED[1]], [*plain[0], plain[1]], strict=True):
        assert type(found) is type(expected)
        assert np.array_equal(found, expected)


@pytest.mark.usefixtures("plain")
def test_words_by_themselves_are_known_as_the_lexicon_knows_them() -> None:
    known = COMPILED[0]
    words = known[0][FROM:]
    of_stems = stems(words, term)
    ours = MODELS.tagger.keys(words), MODELS.names.keys(words), wordlists.flags(words), MODELS.idf.of(of_stems)
    for found, expected in zip([known[2], known[4], known[6], known[7]], ours, strict=True):
        assert found.dtype == expected.dtype
        assert (found[FROM:] == expected).all()


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
