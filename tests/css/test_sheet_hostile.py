"""Sheets that are broken, huge or hostile: a result in bounded time, never an exception."""

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parcels.css.cascade import computed_style
from parcels.css.sheets.parser import SheetCache, SheetLimits, parse_sheet
from parcels.css.sheets.scan import cleaned
from parcels.css.sheets.source import SheetSource
from parcels.css.style import Styles
from parcels.html.page import read_page

SECONDS = 5.0  # of CPU, so that a busy machine does not matter
BODY = "<div id=x class='a b c'><p class=a>one <a href=y>two</a></p><ul><li class=b>three<li>four</ul></div>"


def style(css: str, body: str = BODY) -> Styles:
    """The styles of a page with an external sheet, made in bounded time."""
    page = read_page(f"<!doctype html><link rel=stylesheet href=s.css>{body}")
    started = time.process_time()
    styles = computed_style(page, SheetSource({"s.css": css.encode("utf-8", "replace")}), cache=SheetCache())
    assert time.process_time() - started < SECONDS
    assert len(styles) == len(page.nodes)
    return styles


@pytest.mark.parametrize(
    "css",
    [
        ".a { color: red } " * 300_000,
        "".join(f".r{n} .a {{ width: {n}px }}\n" for n in range(100_000)),
        "".join(f"* {{ width: {n}px }}" for n in range(100_000)),
        "".join(f"div:not(.n{n}) p {{ width: {n}px }}" for n in range(20_000)),
        "*" + " *" * 200_000 + " { color: red }",
        ".a" * 500_000 + " { color: red }",
        ",".join([".a"] * 300_000) + " { color: red }",
        ".a { " + "color: red;" * 400_000 + " }",
        ".a { width: calc(" + "(" * 100_000 + "1px" + ")" * 100_000 + ") }",
        ".a { margin: " + "1px " * 100_000 + "}",
        ".a { background: " + "url(" * 1000 + "}",
        ".a { font-family: " + "x," * 1000 + "y }",
        ":not(" * 5000 + ".a" + ")" * 5000 + " { color: red }",
        ":is(" * 100 + ".a" + ")" * 100 + " { color: red }",
        ".a { " * 5000 + "color: red" + "}" * 5000,
        "@media screen {" * 5000 + ".a { color: red }",
        "&" * 1000 + " { & { & { & { color: red } } } }",
        "".join(f".n{n}, .m{n} {{" for n in range(30)) + "color: red" + "}" * 30,
        "/*" * 1_000_000,
        '"' * 1_000_000,
        "\\" * 1_000_000,
        "{" * 1_000_000,
        "}" * 1_000_000,
        "@import url(s.css);" * 10_000,
        "@layer " + ",".join(f"l{n}" for n in range(5_000)) + ";",
        ":root { "
        + "".join(f"--v{n + 1}: var(--v{n}) var(--v{n});" for n in range(2000))
        + "} .a { color: var(--v2000) }",
        ":root { " + "".join(f"--v{n}: var(--v{(n + 1) % 500});" for n in range(500)) + "} .a { color: var(--v0) }",
        ".a { display: grid; grid-template-columns: repeat(1000000, repeat(1000000, 1px)) }",
        ".a { display: grid; grid-template-columns: repeat(1000000, 1px); grid-column: 99999999999 / span 99999999 }",
        "p:has(" + "*:has(" * 6 + "a" + ")" * 7 + " { color: red }",
        "li:nth-child(99999999999999999999n+1) { color: red } li:nth-child(0n) { color: red }",
    ],
    ids=lambda css: css[:24].replace(" ", "_"),
)
def test_a_hostile_sheet_is_read_in_bounded_time(css: str) -> None:
    style(css)


def test_selectors_that_look_far_stop_at_a_limit() -> None:
    body = "<div class=a>" * 150 + "<p>x</p>" * 2000 + "</div>" * 150
    style("".join(f".a .a .a .a > p ~ p + p.n{n % 3}, p ~ p ~ p ~ b {{ color: red }}" for n in range(300)), body)


@pytest.mark.parametrize(
    "value", ["1e30px", "-1e30px", "1e400px", "NaN", "nanpx", "calc(1e308px * 1e308)", "9" * 5000 + "px"]
)
@pytest.mark.parametrize(
    "name", ["width", "margin", "font-size", "line-height", "z-index", "flex-grow", "order", "opacity", "gap"]
)
def test_absurd_numbers_stay_finite(name: str, value: str) -> None:
    styles = style(f"* {{ {name}: {value} }}")
    for lengths in (styles.width, styles.margin.top, styles.flex_basis):
        assert np.isfinite(lengths.number).all()
    for array in (styles.font_size, styles.line_height, styles.flex_grow, styles.order, styles.opacity, styles.row_gap):
        assert np.isfinite(array).all()


@pytest.mark.parametrize(
    ("css", "is_red"),
    [
        (".a { color: red", True),
        ("@media screen { .a { color: red", True),
        ("<!-- .a { color: red } -->", True),
        ("\ufeff.a { color: red }", True),
        ('@charset "utf-8"; .a { color: red }', True),
        ("/* .b { */ .a { color: red } /* } */", True),
        (".b { content: '}' } .a { color: red }", True),
        ('.b { content: "{;" } .a { color: red }', True),
        (".b { background: url(data:image/png;base64,AA{}==) } .a { color: red }", True),
        (".b { color: blue; } } .a { color: red }", False),
        (".a { ; ; color: blue; *color: lime; color: nonsense; _color: lime; color: red; filter: x(y=1) }", True),
        (".a { color: red; width }", True),
        (".a { color: blue ! important; color: red ! IMPORTANT }", True),
        (".a { COLOR: RED }", True),
        (".a{color:red;}}", True),
        ("@unknown x { .a { color: blue } } .a { color: red }", True),
        ("@import 'no.css'; .a { color: red }", True),
        (".a { color: red\\9 }", False),
    ],
)
def test_broken_sheets_are_read_as_browsers_read_them(css: str, is_red: bool) -> None:
    page = read_page("<!doctype html><link rel=stylesheet href=s.css><p class=a>x")
    source = SheetSource({"s.css": css.encode()})
    assert bool(computed_style(page, source).colour[-1] == 0xFF0000FF) == is_red


def test_content_beyond_a_limit_is_counted() -> None:
    limits = SheetLimits(max_characters=1000, max_rules=10, max_depth=3, max_selector=50, max_block=20)
    assert parse_sheet("a{b:c}" * 100, limits=limits).left_out == {"characters behind the last rule": 540}
    assert parse_sheet("a{b:c}" * 1000, limits=limits).left_out["characters"] == 5000
    assert parse_sheet("." + "a" * 60 + "{b:c}", limits=limits).left_out == {"long selectors": 1}
    assert parse_sheet("a{" + "b:c;" * 10 + "}", limits=limits).left_out == {"long blocks": 1}
    assert parse_sheet("@media all{" * 5 + "a{b:c}" + "}" * 5, limits=limits).left_out == {"deeper blocks": 1}
    assert parse_sheet("a:no-such-thing{b:c}").index.unknown_count == 1


_PIECES = st.sampled_from(
    (Path(__file__).parents[1] / "css" / "pieces.txt")
    .read_text("utf-8")
    .replace("NUL", "\0")
    .replace("LF", "\n")
    .split("\n")
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(_PIECES, max_size=40).map(" ".join) | st.lists(_PIECES, max_size=40).map("".join) | st.text(max_size=80)
)
def test_random_sheets_never_raise(css: str) -> None:
    for text in (
        css,
        f".a {{ {css} }}",
        f"{css} {{ color: red }}",
        f".a {{ width: {css}; grid-area: {css}; font: {css} }}",
    ):
        style(text)
        page = read_page(BODY)
        page.nodes.elements[-1].set("style", "".join(sign for sign in text if sign.isprintable()))
        computed_style(page)


@settings(max_examples=200, deadline=None)
@given(st.text("{};:/*\"'\\ \nurl()ab<!->", max_size=60))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = cleaned(text)
    assert once.count("{") <= text.count("{")
