"""Sheets and selectors are scanned alike, whichever way it is done."""

import importlib.util
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parcels.css import scan as fast
from parcels.css import scan_plain, selector_scan
from parcels.css.names import Names
from parcels.css.pseudo_classes import KNOWN as KNOWN_PSEUDO
from parcels.css.pseudo_classes import NEVER_HOLDS
from parcels.css.selector_keys import keyed, needed_names
from parcels.css.selector_parser import selector
from parcels.css.selectors import Compound, Inner, Selector

pytest.importorskip("parcels.css.scan_fast", reason="not compiled: python setup.py build_ext --inplace")
SECONDS = 2.0  # of CPU, so that a busy machine does not matter
KNOWN = {"color": 1, "é": 2}
SEEN = {"a", "b", "ab", "*", ".a", ".b", "#a", ".é", "é", ".a-b", "li"}

_SHEETS = st.text("{};:/*\"'\\ \n\x1f\x85\u2003url()ab<!->", max_size=80)


@settings(max_examples=1000, deadline=None)
@given(_SHEETS)
def test_comments_strings_and_addresses_are_cleaned_alike(text: str) -> None:
    assert fast.without_comments(text) == scan_plain.without_comments(text)


@pytest.mark.parametrize(
    "text",
    [
        "a{b:url(" + "x" * 300 + ")}",
        "a{b:url( 'x;y' )}",
        "url(;)url(;",
        '"\\',
        "'a\\\n;'",
        "/*/ ; */;",
        "\\{\\a\\;\\",
        "\u2003url(\u2003{)",
    ],
)
def test_rare_ends_are_cleaned_alike(text: str) -> None:
    assert fast.without_comments(text) == scan_plain.without_comments(text)


@settings(max_examples=1000, deadline=None)
@given(_SHEETS | st.text("{}ab;/*é\u2003 ", max_size=60))
def test_braces_are_found_alike(text: str) -> None:
    assert fast.braces(text) == scan_plain.braces(text)
    assert fast.has_html_comment(text) == scan_plain.has_html_comment(text)


def test_more_braces_than_there_is_room_for_at_first_are_found() -> None:
    text = "a{/* } */}" * 1000
    assert fast.braces(text) == scan_plain.braces(text)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["color", "COLOR", "--a", "zoom", ":", ";", " ", "\u2003", "\x1c", "é", "!x", "-"])))
def test_declarations_are_told_apart_alike(parts: list[str]) -> None:
    text = "".join(parts)
    assert fast.pairs(text, KNOWN) == scan_plain.pairs(text, KNOWN)


@pytest.mark.parametrize("text", ["color:x;" * 2100, "color:" + "x" * 4000, "color:" + "x" * 4001, "color", ":;:"])
def test_long_and_empty_declarations_are_told_apart_alike(text: str) -> None:
    assert fast.pairs(text, KNOWN) == scan_plain.pairs(text, KNOWN)


@pytest.mark.parametrize(
    "text", ["url(" * 500_000, "/*" * 1_000_000, '"\n' * 1_000_000, "\\" * 2_000_000, "'" * 2_000_000]
)
def test_what_never_ends_is_read_once(text: str) -> None:
    started = time.process_time()
    fast.without_comments(text)
    assert time.process_time() - started < SECONDS


@settings(max_examples=500, deadline=None)
@given(st.text("<!->{}aé\u2003", max_size=30))
def test_braces_and_signs_of_html_are_seen_alike(text: str) -> None:
    assert fast.has_html_comment(text) == scan_plain.has_html_comment(text)


_PARTS = ["a", "li", ".a", ".b", "#a", ".c", " ", ">", ":not(", ":is(", ")", "[", "]", "href", '="', '"', "'", "*", "é"]
_PARTS += [":hover", ":first-child", "::before", ":x", ":-x", ":root", ":HOVER", ":", "(", "|", "\\", "-", "~"]


@settings(max_examples=3000, deadline=None)
@example(":HOVER()a")
@example(":hove()r")
@given(st.lists(st.sampled_from(_PARTS), max_size=9).map("".join).map(str.strip))
def test_a_selector_is_as_likely_as_its_keys_and_names_say(text: str) -> None:
    what = selector_scan.likelihood(text, Names(SEEN), NEVER_HOLDS, KNOWN_PSEUDO)
    if what == selector_scan.UNCLEAR:
        return
    keys, compiled = keyed(text)
    assert (what == selector_scan.UNKNOWN) == (keys is None)
    if what == selector_scan.UNLIKELY:
        assert not keys or not needed_names(text) <= SEEN
    elif what == selector_scan.LIKELY:
        made = compiled or selector(text)
        assert needed_names(text) <= SEEN
        assert made is None or made.is_never or made.keys == keys


def _interpreted(name: str) -> Any:
    """A module of parcels.css from its source, whether it is compiled or not."""
    path = Path(scan_plain.__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"interpreted_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN_PARSER = _interpreted("selector_parser")
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
    assert _told(selector(text)) == _told(PLAIN_PARSER.selector(text))


_TOLD = ["combinators", "specificity", "keys", "own", "above", "names", "context", "attributes", "is_positional"]
_TOLD += ["is_never", "has_nameless", "is_names_only"]


def _told(made: Any) -> Any:
    """A selector, compound or test as plain data."""
    if isinstance(made, Selector):
        if not made.compounds and made.text:
            made.make_compounds()
        return [_told(compound) for compound in made.compounds], [getattr(made, name) for name in _TOLD]
    if isinstance(made, Compound):
        return made.tag, made.ident, made.classes, [_told(test) for test in made.tests]
    if isinstance(made, Inner):
        return made.kind, [_told(inner) for inner in made.selectors]
    return made
