"""Scanning of selectors, character by character."""

import pytest

from parcels.css.selectors.names import Names
from parcels.css.selectors.scan import (
    COMPLEX_LIST,
    NO_MATCH,
    PLAIN_LIST,
    classify_list,
    has_all_names,
    plain_compounds,
    plain_parts,
    plain_start,
    selector_list,
)

SEEN = Names({"a", "b", "ab", "*", ".a", ".b", "#a", ".é", "é", ".a-b", "li", "k"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LI.a", PLAIN_LIST),
        (".c a", NO_MATCH),
        (".c, a", PLAIN_LIST),
        (".c:hover", NO_MATCH),
        (".c(", COMPLEX_LIST),
        ("a::before", COMPLEX_LIST),
        (".é\u2003+ #a", PLAIN_LIST),
        (".", PLAIN_LIST),
        ("", PLAIN_LIST),
    ],
)
def test_rules_whose_names_are_not_on_the_page_are_passed_over(text: str, expected: int) -> None:
    assert classify_list(text, SEEN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A > LI.a*", (["li", ".a"], ["a"], 4, True)),
        ("É.é", (["é", ".é"], [], 0, True)),
        ("\u212a", (["k"], [], 0, True)),
        ("a.", (["a"], [], 0, False)),
        ("*", ([], [], 0, True)),
        ("a ", None),
        ("", None),
        ("a:b", None),
        ("a .c", None),
        ("i", None),
        (".A", None),
    ],
)
def test_plain_selectors_are_divided_into_names(text: str, expected: object) -> None:
    assert plain_parts(text, SEEN) == expected


@pytest.mark.parametrize(("text", "start"), [("a\x1c.b", 2), ("a>", -1), ("", -1), ("a[b]", -1), ("*", 0), ("é é", 2)])
def test_the_rightmost_compound_starts_behind_the_last_combinator(text: str, start: int) -> None:
    assert plain_start(text) == start


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A.b.c#d + *", ([("a", "d", ("b", "c")), ("", "", ())], ["+"])),
        ("a\u2003b", ([("a", "", ()), ("b", "", ())], [" "])),
        ("a > > b", None),
        ("a.", None),
        (" a", None),
        ("a,b", None),
        ("", None),
    ],
)
def test_compounds_and_combinators_are_read(text: str, expected: object) -> None:
    assert plain_compounds(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        (" a ,b,", ["a", "b", ""]),
        ("[a=','],b", ["[a=',']", "b"]),
        ("\\,,b", ["\\,", "b"]),
        ("),(a,b", [")", "(a", "b"]),  # an end without a beginning
        ("('a,b", ["('a,b"]),
        ("'a\\", ["'a\\"]),
    ],
)
def test_lists_are_split_at_commas_outside_of_brackets_and_strings(text: str, expected: list[str]) -> None:
    assert selector_list(text) == expected


def test_every_one_of_many_names_is_found() -> None:
    names = [f".x{n}" for n in range(4000)]
    page_names = Names(set(names[:2000]))
    assert [has_all_names(name, page_names) for name in names] == [True] * 2000 + [False] * 2000
