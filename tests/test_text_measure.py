"""Texts measured by letter (compiled) and by array step (interpreted): two ways to the same numbers."""

import numpy as np
import pytest

from parcels.layout.text_measure import Words, _by_letter, _by_step
from parcels.layout.text_metrics import FACES

TEXTS = [
    "a well-known case -- and a-b-c -",
    "",
    "Zażółć gęślą jaźń, Ωμέγα и кириллица",
    "漢字 mixed漢字with latin—dashes… and “quotes”",
    "-",
    " leading and  double blanks ",
    "zero\u200bwidth \U0001f600 beyond",
    "x" * 500,
]


def same(one: Words, other: Words) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in ("first", "starts", "ends", "total", "widest")]
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in pairs)


@pytest.mark.parametrize("spacing", [0.0, 1.25, -30.0])
def test_both_ways_of_measuring_give_the_same_bits(spacing):
    count = len(TEXTS)
    for face in range(len(FACES)):
        fonts = np.full(count, face), np.linspace(7.3, 31.7, count).astype(np.float32), np.full(count, spacing)
        assert same(_by_letter(TEXTS, *fonts), _by_step(TEXTS, *fonts))


def test_parts_end_behind_blanks_hyphens_and_ideographs():
    words = _by_letter(["one two-three 漢字"], np.array([0]), np.array([10.0]), np.array([0.0]))
    assert words.first.tolist() == [0, 5]
    assert words.total[0] == words.ends[-1]


def test_no_texts_have_no_parts():
    nothing = np.zeros(0)
    assert same(_by_letter([], nothing, nothing, nothing), _by_step([], nothing, nothing, nothing))
