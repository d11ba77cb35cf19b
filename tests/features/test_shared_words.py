"""Words and dates that blocks share with what the page states of itself."""

import re

import numpy as np
import pytest

from parcels.features.evidence import date_share
from parcels.features.shared_words import bag, shared_words

TEXTS = [
    "", "a", "_x, y-z  ß²٣ don't", "日本 語、x a A", "\U0001d7d8\U0001f600a", "a\u0301b É", "İstanbul ISTANBUL é",
    "one two three two ONE", "\ud800x", " ".join(f"word{n}" for n in range(9000)),
]  # fmt: skip


def test_different_words_and_digits_of_blocks_are_those_of_the_patterns() -> None:
    shared = shared_words(TEXTS, {})
    assert shared.sizes.tolist() == [len(bag(text)) for text in TEXTS]
    assert shared.sizes.tolist() == [0, 1, 6, 4, 2, 3, 4, 3, 1, 9000]
    assert shared.has_digit.tolist() == [re.search(r"\d", text) is not None for text in TEXTS]
    assert shared.best("title").tolist() == [0] * len(TEXTS)


def test_words_are_shared_with_each_claim_of_a_field() -> None:
    claims = {"title": [bag("A y"), bag("日本 é x")], "body": [bag(TEXTS[-1])], "section": []}
    shared = shared_words(TEXTS, claims)
    assert shared.common["title"].tolist() == [[0, 1, 1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 2, 0, 1, 1, 0, 1, 0]]
    assert shared.common["body"].tolist() == [[0] * 9 + [9000]]
    assert "section" not in shared.common
    expected = [0, 1 / 2, 1 / 6, 2 / 4, 1 / 2, 1 / 3, 1 / 4, 0, 1 / 3, 0]
    assert shared.best("title") == pytest.approx(np.array(expected, np.float32))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("7 March 2024", 3), ("MAR 7, '24", 3), ("12/31/99", 3), ("0007.03", 2), ("20240307 00024", 0), ("", 0),
        ("no", 0), ("12 \u0663 Marz", 1), ("é 7 mar", 2), ("1 " * 20 + "2024", 0), ("x" * 260 + " 2024", 1),
        ("de\0c 31", 1), ("DEC 31", 2),
    ],
)  # fmt: skip
def test_dates_are_matched_by_year_month_and_day(text: str, parts: int) -> None:
    assert date_share(text, [(2024, 3, 7), (1999, 12, 31)]) == parts / 3
