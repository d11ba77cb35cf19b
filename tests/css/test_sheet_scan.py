"""Sheets are cleaned and divided, and selectors are judged as their keys say."""

import importlib.util
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parcels.css.selectors import scan as selector_scan
from parcels.css.selectors.compound import Compound, LogicalTest, Selector
from parcels.css.selectors.keys import keys_and_selector, needed_names
from parcels.css.selectors.names import Names
from parcels.css.selectors.parser import selector
from parcels.css.selectors.pseudo_classes import IMPOSSIBLE_PSEUDO, KNOWN_PSEUDO
from parcels.css.sheets import scan

SECONDS = 2.0  # of CPU, so that a busy machine does not matter
KNOWN = {"color": 1, "é": 2}
SEEN = {"a", "b", "ab", "*", ".a", ".b", "#a", ".é", "é", ".a-b", "li"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{b:url(" + "x" * 300 + ")}", "a{b:url(data:)}"),
        ("a{b:url( 'x;y' )}", "a{b:url( 'x\\3b y' )}"),
        ("url(;)url(;", "url(\\3b )url(;"),
        ('"\\', '"\\'),
        ("'a\\\n;'", "'a\\\n\\3b '"),
        ("'}\n}", "'\\7d \n}"),
        ("/*/ ; */;", ";"),
        ("a/*", "a"),
        ("\\{\\a\\;\\", "\\7b \\a\\3b \\"),
        ("\u2003url(\u2003{)", "\u2003url(\u2003\\7b )"),
        ("", ""),
    ],
)
def test_comments_go_and_strings_and_addresses_are_escaped(text: str, expected: str) -> None:
    assert scan.without_comments(text) == expected


@settings(max_examples=500, deadline=None)
@given(st.text("{};:/*\"'\\ \n\x1f\x85\u2003url()ab\U0001f600", max_size=80))
def test_places_of_braces_are_those_in_the_cleaned_text(text: str) -> None:
    cleaned, places, opened = scan.braces(text)
    assert list(places) == [at for at, sign in enumerate(cleaned) if sign in "{}"]
    assert opened == cleaned.count("{") - cleaned.count("}")


def test_braces_of_comments_are_not_among_the_places() -> None:
    cleaned, places, opened = scan.braces("a{/* } */}" * 1000)
    assert (cleaned, list(places), opened) == ("a{}" * 1000, [n for n in range(3000) if n % 3], 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COLOR : red ;zoom:1;--A: b:c;\u2003\xc9:x", [("color", "red"), ("--A", "b:c"), ("é", "x")]),
        ("color:x;" * 2100, [("color", "x")] * 2000 + [("color", ("x;" + "color:x;" * 99)[:-1] + ";")]),
        ("color:" + "x" * 4000, [("color", "x" * 4000)]),
        ("color:" + "x" * 4001, []),
        ("color", []),
        (":;:", []),
    ],
)
def test_declarations_of_known_and_custom_names_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert scan.pairs(text, KNOWN) == expected


@pytest.mark.parametrize(
    "text", ["url(" * 500_000, "/*" * 1_000_000, '"\n' * 1_000_000, "\\" * 2_000_000, "'" * 2_000_000]
)
def test_what_never_ends_is_read_once(text: str) -> None:
    started = time.process_time()
    scan.without_comments(text)
    assert time.process_time() - started < SECONDS


_PARTS = ["a", "li", ".a", ".b", "#a", ".c", " ", ">", ":not(", ":is(", ")", "[", "]", "href", '="', '"', "'", "*", "é"]
_PARTS += [":hover", ":first-child", "::before", ":x", ":-x", ":root", ":HOVER", ":", "(", "|", "\\", "-", "~"]


@settings(max_examples=3000, deadline=None)
@example(":HOVER()a")
@example(":hove()r")
@given(st.lists(st.sampled_from(_PARTS), max_size=9).map("".join).map(str.strip))
def test_a_selector_is_as_likely_as_its_keys_and_names_say(text: str) -> None:
    what = selector_scan.classify_selector(text, Names(SEEN), IMPOSSIBLE_PSEUDO, KNOWN_PSEUDO)
    if what == selector_scan.UNDECIDED:
        return
    keys, compiled = keys_and_selector(text)
    assert (what == selector_scan.INVALID) == (keys is None)
    if what == selector_scan.IMPOSSIBLE:
        assert not keys or not needed_names(text) <= SEEN
    elif what == selector_scan.POSSIBLE:
        made = compiled or selector(text)
        assert needed_names(text) <= SEEN
        assert made is None or made.is_never or made.keys == keys


def _interpreted(name: str) -> Any:
    """Return a module of parcels.css.selectors from its source, whether it is compiled or not."""
    path = Path(selector_scan.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"interpreted_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN_PARSER = _interpreted("parser")
_TOKENS = [
    *_PARTS,
    "[href]",
    "[ a = b ]",
    "[a='b' i]",
    '[a$="b"]',
    "[a|=b]",
    "[a*=b]",
    "[a|b]",
    "[*|a]",
    "|",
    "&",
    "=",
    "i",
]
_TOKENS += [":nth-child(2n+1)", ":lang(en)", "\\61 ", "+", "\t", "\u2003", "~=", "^", "$", "DIV", ":Not(.A)", "a*|b"]


@settings(max_examples=3000, deadline=None)
@given(st.lists(st.sampled_from(_TOKENS), max_size=7).map("".join))
def test_selectors_are_read_alike_by_letter_and_by_expression(text: str) -> None:
    assert _as_data(selector(text)) == _as_data(PLAIN_PARSER.selector(text))


_FIELDS = [
    "combinators",
    "specificity",
    "keys",
    "own",
    "ancestor_names",
    "names",
    "context",
    "attributes",
    "is_positional",
]
_FIELDS += ["is_never", "has_nameless", "is_names_only"]


def _as_data(made: Any) -> Any:
    """Return a selector, compound or test as plain data."""
    if isinstance(made, Selector):
        if not made.compounds and made.text:
            made.make_compounds()
        return [_as_data(compound) for compound in made.compounds], [getattr(made, name) for name in _FIELDS]
    if isinstance(made, Compound):
        return made.tag, made.ident, made.classes, [_as_data(test) for test in made.tests]
    if isinstance(made, LogicalTest):
        return made.kind, [_as_data(inner) for inner in made.selectors]
    return made
