"""Tables of numbers in C and their interpreted twins give the same."""

import random

import pytest

from parcels.css import numbering, numbering_plain, packed, packed_plain, scan
from parcels.css.columns import COLUMN
from parcels.css.declarations import Wide, block
from parcels.css.rules import Rule

pytest.importorskip("parcels.css.numbering_fast", reason="not compiled: python setup.py build_ext --inplace")


def test_pairs_keep_their_numbers_however_many_there_are() -> None:
    fast, plain = numbering.Numbering(), numbering_plain.Numbering()
    choice = random.Random(1)
    for number in range(3000):
        first, second = choice.randrange(-1, 60), choice.randrange(0, 100_000)
        assert fast.find(first, second) == plain.find(first, second)
        if plain.find(first, second) < 0:
            fast.put(first, second, number)
            plain.put(first, second, number)
    assert fast.find(0, -1) == plain.find(0, -1) == -1


def test_values_are_packed_alike() -> None:
    values = {
        COLUMN["width"]: 3.0,
        COLUMN["color"]: Wide.INHERIT,
        "--x": "1",
        "grid-row-start": (1, 1, ""),
        COLUMN["display"]: -0.0,
    }
    for given in (values, {}):
        fast, plain = packed.Packed(given), packed_plain.Packed(given)
        assert (fast.values, fast.rest, fast.own, fast.count) == (plain.values, plain.rest, plain.own, plain.count)
    assert packed_plain.Packed(values).numbers == [3.0, -0.0]


def test_an_important_custom_property_beats_the_one_before_it() -> None:
    made = block("--x: 1; --y: 2; --x: 3 !important; color: #000")
    assert made.values()["--y"] == "2"
    assert "--x" not in made.values()
    assert [part.own for part in made.important] == [{"--x": "3"}]


def test_rules_of_the_same_words_share_what_they_set() -> None:
    first, second = (Rule("display: none", order, "", False).read() for order in range(2))
    assert first is second
    assert Rule("width: 3", 0, "", True).read().values() != Rule("width: 3", 0, "", False).read().values()


@pytest.mark.parametrize("text", ["", "a{}", "é", "\u2003", "\U0001f600", "\ud800"])
def test_a_text_is_told_by_its_bytes(text: str) -> None:
    written, kind = scan.in_memory(text)
    assert len(bytes(written)) == kind * len(text)
    assert bytes(written) != bytes(scan.in_memory(text + "b")[0])
