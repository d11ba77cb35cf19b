"""Effects of declarations, and the numbering of texts and pairs."""

import random

from parcels.css.columns import COLUMN
from parcels.css.sheets.declarations import WideKeyword, parse_block
from parcels.css.sheets.packed import PackedValues
from parcels.css.sheets.parser import SheetCache
from parcels.css.sheets.rules import Rule
from parcels.maps import IntMap, pair_key


def test_pairs_keep_their_numbers_however_many_there_are() -> None:
    numbers, expected = IntMap(), dict[tuple[int, int], int]()
    choice = random.Random(1)
    for _ in range(3000):
        pair = choice.randrange(-1, 60), choice.randrange(0, 100_000)
        assert numbers.find(pair_key(*pair)) == expected.get(pair, -1)
        assert numbers.put(pair_key(*pair), numbers.count) == expected.setdefault(pair, len(expected))
    assert numbers.count == len(expected)
    assert numbers.find(pair_key(0, -1)) == -1


def test_values_are_split_into_numbers_and_deferred_values() -> None:
    values = {
        COLUMN["width"]: 3.0,
        COLUMN["color"]: WideKeyword.INHERIT,
        "--x": "1",
        "grid-row-start": (1, 1, ""),
        COLUMN["display"]: -0.0,
    }
    made = PackedValues(values)
    assert (made.columns, made.numbers, made.count) == ([COLUMN["width"], COLUMN["display"]], [3.0, -0.0], 2)
    assert made.deferred == [(COLUMN["color"], WideKeyword.INHERIT), ("grid-row-start", (1, 1, ""))]
    assert made.own == {"--x": "1"}
    assert made.values is values


def test_a_declaration_that_sets_nothing_has_no_values() -> None:
    made = PackedValues({})
    assert (made.count, made.columns, made.deferred, made.own) == (0, [], [], None)


def test_an_important_custom_property_beats_the_one_before_it() -> None:
    made = parse_block("--x: 1; --y: 2; --x: 3 !important; color: #000")
    assert made.values()["--y"] == "2"
    assert "--x" not in made.values()
    assert [part.own for part in made.important] == [{"--x": "3"}]


def test_rules_of_the_same_words_share_what_they_set() -> None:
    first, second = (Rule("display: none", order, "", False).read() for order in range(2))
    assert first is second
    assert Rule("width: 3", 0, "", True).read().values() != Rule("width: 3", 0, "", False).read().values()


def test_texts_share_a_sheet_only_where_they_are_the_same() -> None:
    texts = ["", "a{}", "é", "\u2003", "\U0001f600", "\ud800", "\ud83d\ude00"]
    cache = SheetCache()
    sheets = [cache.sheet(text) for text in texts]
    assert len(cache) == len(texts)
    assert all(cache.sheet(text) is sheet for text, sheet in zip(texts, sheets, strict=True))
