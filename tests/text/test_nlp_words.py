"""Tokens, stems, stop words, dates: what needs no model."""

import gzip
import random

import pytest

from parcels.text.dates import find_moments
from parcels.text.stems import stem
from parcels.text.stopwords import stopwords
from parcels.text.tokens import offsets, split_chunk, tokenize

_SUFFIXES = (
    "ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti "
    "iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion "
    "ou ism ate iti ous ive ize ed ing eed ied ies sses ss s y e ll yed ying"
)
SUFFIXES = _SUFFIXES.split()
_BASES = "relat hop y yy say toy syzyg controll commun be a tr fall fizz conflat troubl siz fil fail aey sion bl é"
BASES = _BASES.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop.", ["Do", "n't", "stop", "."]),
        ("It’s Ann's, isn’t it?", ["It", "’s", "Ann", "'s", ",", "is", "n’t", "it", "?"]),
        ("Mr. Smith of Acme Inc. left.", ["Mr.", "Smith", "of", "Acme", "Inc.", "left", "."]),
        ("He was ill.", ["He", "was", "ill", "."]),
        ("$1,500.50 (3%)", ["$", "1,500.50", "(", "3", "%", ")"]),
        ("well-known co-author", ["well", "-", "known", "co-author"]),
        ("See http://a.example/x?y=1, or mail a.b@c.example!", None),
        ("at 8:31 p.m. EDT", ["at", "8:31", "p.m.", "EDT"]),
        ("J. K. Rowling", ["J.", "K.", "Rowling"]),
        ("AT&T's", ["AT&T", "'s"]),
        ("日本語 テキスト", ["日本語", "テキスト"]),
        ("", []),
    ],
)
def test_text_is_cut_as_the_treebanks_cut_it(text, expected):
    found = tokenize(text)
    if expected is None:
        assert "http://a.example/x?y=1" in found
        assert "a.b@c.example" in found
    else:
        assert found == expected


def test_tokens_are_all_of_the_text_but_its_white_space():
    choose = random.Random(1)
    for _ in range(300):
        text = "".join(choose.choices("abcXYZ019.,-'’\"()@:/&%$!? \n\té日_*", k=choose.randrange(60)))
        assert "".join(tokenize(text)) == "".join(text.split()), text


def test_offsets_point_at_the_tokens():
    text = "  It's  a 15-year-old's   \"tale\"."
    tokens = tokenize(text)
    assert [text[start:end] for start, end in offsets(text, tokens)] == tokens


def test_a_chunk_is_cut_the_same_wherever_it_stands():
    assert tokenize("x don't") == [*split_chunk("x"), *split_chunk("don't")]


def test_stems_are_those_of_nltk():
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    words = {base + one + two for base in BASES for one in SUFFIXES for two in ("", *SUFFIXES[::7])}
    words |= {"news", "skies", "dying", "Proceed", "is", "", "a", "generously", "happily"}
    wrong = {word: (porter.stem(word), stem(word)) for word in words if porter.stem(word) != stem(word)}
    assert len(words) > 8_000
    assert not wrong


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("ies ied eed sss yyy agreed feed", "i i eed sss yyy agre feed"),
        ("hopping hoped falling fizzed filing sized troubled", "hop hope fall fizz file size troubl"),
        ("relational rationally apology generalizations", "relat ration apolog gener"),
        ("adoption opinion electriciti probate controlling rolled", "adopt opinion electr probat control roll"),
        ("caf\u00e9s na\u00efvely 3rds y's it-ies", "caf\u00e9 na\u00efv 3rd y' it-i"),
    ],
)
def test_stems_have_the_endings_cut_off_that_the_rules_name(words, expected):
    assert [stem(word) for word in words.split()] == expected.split()


def test_words_of_up_to_64_letters_have_stems():
    assert [stem("a" * 63 + "s"), stem("b" * 60 + "aing")] == ["a" * 63, "b" * 60 + "a"]
    assert stem("a" * 64 + "s") == "a" * 64 + "s"


@pytest.mark.corpus
def test_stems_are_those_of_nltk_on_all_words_of_the_treebanks(corpora):
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer()
    words = set()
    for path in (corpora / "pos-english").glob("*.tsv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            words |= {line.split("\t")[0] for line in file if line.strip()}
    words = {word for word in words if len(word) < 60}
    assert len(words) > 25_000
    assert [word for word in words if porter.stem(word) != stem(word)] == []


def test_a_run_of_characters_without_end_is_its_own_stem():
    assert stem("y" * 100_000) == "y" * 100_000


def test_stop_words_are_common_words_only():
    assert 600 <= len(stopwords()) <= 669
    assert {"the", "of", "n't", "because"} <= stopwords()
    assert not {"news", "subscribe", "reuters", "president"} & stopwords()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("09:15 am ET", [("time", "09:15", "09:15 am ET")]),
        ("Updated 3:04 p.m. ET", [("time", "15:04", "3:04 p.m. ET")]),
        ("12:01AM Feb 3rd", [("time", "00:01", "12:01AM"), ("date", "--02-03", "Feb 3rd")]),
        ("lundi 5 mai 2014 à 14h30", [("date", "2014-05-05", "lundi 5 mai 2014"), ("time", "14:30", "14h30")]),
        ("6 de enero de 2004", [("date", "2004-01-06", "6 de enero de 2004")]),
        ("14.05.2013, 15.30 Uhr", [("date", "2013-05-14", "14.05.2013"), ("time", "15:30", "15.30 Uhr")]),
        ("2014-05-06T12:30:00+02:00", [("date", "2014-05-06T12:30+02:00", "2014-05-06T12:30:00+02:00")]),
        ("5 min ago", [("time", "-PT5M", "5 min ago")]),
        ("an hour ago", [("time", None, "an hour ago")]),
        ("il y a 3 heures", [("time", "-PT3H", "il y a 3 heures")]),
        ("Thursday, September 15 2011", [("date", "2011-09-15", "Thursday, September 15 2011")]),
        ("on Monday, yesterday", [("date", None, "Monday"), ("date", None, "yesterday")]),
        ("May 2004", [("date", "2004-05", "May 2004")]),
        ("31/12/99", [("date", "1999-12-31", "31/12/99")]),
        ("3/4/2004", [("date", None, "3/4/2004")]),
        ("£5 May x5 May 12345 May ٣ May 2004 ²3 May", [("date", "2004-05-03", "٣ May 2004")]),
        ("monday Today, 1today today_ noon", [("date", None, "Today"), ("time", "12:00", "noon")]),
        ("$2004, 1,999 things, 3.5 million, page 12, 10:99, 2.10.1", []),
        ("", []),
    ],
)
def test_dates_and_times_are_found_with_their_values(text, expected):
    assert [(m.kind, m.value, text[m.start : m.end]) for m in find_moments(text)] == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (
            "Yesterday, today's news; tomorrow_x, astoday. Last  week, blast week, a day ago, an hour ago, than hour",
            5,
        ),
        (
            "few minutes ago A few  days ago just now NOON midnight on Monday, mondays and Saturday|Sunday;this week",
            9,
        ),
        ("two months ago, next year next\xa0year tonight last night İ monday this\tevening a\u2003week ago", 7),
    ],
)
def test_moments_in_words_begin_where_a_word_does(text, count):
    assert len(find_moments(text)) == count


def test_the_order_of_day_and_month_can_be_told():
    assert find_moments("3/4/2004", day_first=True)[0].value == "2004-04-03"
    assert find_moments("3/4/2004", day_first=False)[0].value == "2004-03-04"


def test_no_text_breaks_the_search_for_dates():
    choose = random.Random(2)
    for _ in range(500):
        text = "".join(choose.choices([*"0123456789/.-: ", "May ", "am", "GMT", "ago", " h", "٣", "T", "Z"], k=30))
        for moment in find_moments(text):
            assert 0 <= moment.start < moment.end <= len(text)
    find_moments("1" * 10_000 + " minutes ago")
