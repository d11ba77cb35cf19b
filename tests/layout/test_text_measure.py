"""Where the unbreakable parts of texts begin and end on one long line."""

import numpy as np
import pytest

from parcels.layout.boxes.text.measure import MeasuredTexts, measure
from parcels.layout.boxes.text.metrics import FACES

SANS, SIZE = 0, 10.0


def measured(*texts: str, spacing: float = 0.0) -> MeasuredTexts:
    count = len(texts)
    return measure(list(texts), np.full(count, SANS), np.full(count, SIZE), np.full(count, spacing))


def width(text: str) -> float:
    return sum(FACES[SANS].letters[letter] for letter in text) * SIZE


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("one two", ["one", "two"]),
        ("a well-known case", ["a", "well-", "known", "case"]),
        ("so -- and -", ["so", "--", "and", "-"]),
        (" leading and  double blanks ", ["leading", "and", "double", "blanks"]),
        ("", []),
        ("  ", []),
    ],
)
def test_parts_end_at_blanks_and_behind_hyphens(text: str, parts: list[str]) -> None:
    words = measured(text)
    assert words.first.tolist() == [0, len(parts)]
    assert np.allclose(words.ends - words.starts, [width(part) for part in parts])
    assert words.total[0] == pytest.approx(width(text))
    assert words.widest[0] == pytest.approx(max(map(width, parts), default=0.0))


def test_every_ideograph_is_a_part_as_wide_as_the_font() -> None:
    words = measured("ab漢字cd")
    assert np.allclose(words.ends - words.starts, [width("ab"), SIZE, SIZE, width("cd")])


def test_characters_without_a_width_of_their_own_are_measured_alike() -> None:
    words = measured("Ω", "и")
    assert words.total[0] == pytest.approx(words.total[1])
    assert words.total[0] > 0.0


def test_a_zero_width_space_takes_no_room() -> None:
    assert measured("zero\u200bwidth").total[0] == pytest.approx(width("zerowidth"))


def test_letter_spacing_widens_every_character_and_never_makes_one_negative() -> None:
    assert measured("abc", spacing=1.25).total[0] == pytest.approx(width("abc") + 3 * 1.25)
    assert measured("abc", spacing=-30.0).total[0] == 0.0


def test_parts_of_each_text_are_counted_from_its_own_start() -> None:
    words = measured("one two", "three")
    assert words.first.tolist() == [0, 2, 3]
    assert words.starts[2] == 0.0
    assert words.ends[2] == pytest.approx(width("three"))


def test_no_texts_have_no_parts() -> None:
    words = measured()
    assert words.first.tolist() == [0]
    assert len(words.starts) == len(words.ends) == len(words.total) == len(words.widest) == 0
