"""A stored page is shown as it looks, and nothing of it runs or asks for anything."""

import re

import pytest
from annotate_world import PLAIN, hostile
from lxml import etree

from parcels.annotate.leaf_marks import BLOCK, LEAF
from parcels.annotate.safe_css import safe_css
from parcels.annotate.sanitize import clean_html, placeholder
from parcels.css.sheets.source import SheetSource
from parcels.divide import fine
from parcels.html.page import Page, read_page
from parcels.processed_page import ProcessedPage

OUTSIDE = "http://evil.example"
NOTHING = SheetSource()


def cleaned(html: bytes | str, css: dict[str, bytes] | None = None) -> tuple[Page, str]:
    page = read_page(html, "http://a.example/")
    laid = ProcessedPage.parsed(page, css=css).optional_layout
    return page, clean_html(page, fine.divide(page), SheetSource(css or {}), laid.layout if laid else None)


def test_nothing_of_a_hostile_page_is_left():
    _, text = cleaned(hostile(OUTSIDE))
    assert "evil.example" not in text
    assert not re.search(
        r"<script|<noscript|<template|<object|<base|<meta|<link|javascript:|srcdoc|http-equiv", text, re.I
    )
    assert not re.search(r"\son\w+\s*=", text)
    assert not re.search(r"url\((?!data:)", text)
    for element in etree.HTML(text).iter(etree.Element):
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in ("action", "formaction", "srcset", "poster", "ping", "background", "name", "target")
            assert name != "src" or value.startswith("data:image/")
            assert name != "href" or value.startswith("#")


def test_every_leaf_carries_its_block():
    for html in (PLAIN, hostile(OUTSIDE), b"<p>a<!--x-->b<b>c</b>d<br>e<img>f", b"<table>loose<tr><td>x</table>y"):
        page, text = cleaned(html)
        division = fine.divide(page)
        marks = {
            int(one.get(LEAF)): int(one.get(BLOCK)) for one in etree.HTML(text).iter() if one.get(LEAF) is not None
        }
        expected = {leaf: n for n, (first, end) in enumerate(division.ranges()) for leaf in range(first, end)}
        assert marks == expected


def test_the_text_of_a_marked_leaf_is_the_leaf():
    page, text = cleaned(PLAIN)
    for one in etree.HTML(text).iter():
        leaf = one.get(LEAF)
        if leaf is not None and page.leaves.kind[int(leaf)] == "text":
            assert " ".join("".join(one.itertext()).split()) == page.leaves.text[int(leaf)]


def test_the_look_of_a_page_is_kept():
    css = {"http://a.example/s.css": b"h1 { color: red } @import 'x.css'; .hero { min-height: 50vh }"}
    _, text = cleaned(
        "<!DOCTYPE html><link rel=stylesheet href=s.css media=screen><h1 class=big id=x style='margin: 3px'>Hi</h1>"
        "<a href=/x>link</a><svg viewBox='0 0 1 1'><path d='M0 0L1 1'/></svg><img src=a.jpg width=30 height=20>", css
    )  # fmt: skip
    assert text.startswith("<!DOCTYPE html>")
    assert "h1 { color: red }" in text
    assert "min-height: 400px" in text
    assert 'style media="screen"' in text
    assert 'class="big"' in text
    assert 'style="margin: 3px"' in text
    assert 'href="#"' in text
    assert 'd="M0 0L1 1"' in text
    assert placeholder(30, 20).split(",")[0] in text


def test_a_page_in_quirks_mode_stays_in_quirks_mode():
    assert not cleaned("<p>old")[1].strip().startswith("<!DOCTYPE")


@pytest.mark.parametrize(
    "sheet",
    [
        "a{background:url(http://evil.example/a)}",
        "a{background:URL( 'http://evil.example/a' )}",
        "a{background:\\55\\52 L(http://evil.example/a)}",
        "a{background:url(http://evil.example/a",
        "a{background:image-set('http://evil.example/a' 1x, url(http://evil.example/b) 2x)}",
        "@import 'http://evil.example/a';",
        "@import url(http://evil.example/a) screen;b{top:0}",
        "@\\69mport 'http://evil.example/a';",
        "@font-face{font-family:x;src:url(http://evil.example/a)}",
        "a{background:u/**/rl(x);b:src('http://evil.example/a')}",
        "@namespace 'http://evil.example/a';",
        "a{content:url(data:text/html,http://evil.example/a)}",
    ],
)
def test_no_sheet_asks_for_anything(sheet):
    assert "evil.example" not in safe_css(sheet)


def test_what_a_sheet_does_else_is_kept():
    text = "@media (width <= 600px) { a { color: red } } b::before { content: 'url(x)' } i { width: calc(1px + 2em) }"
    assert safe_css(text) == text
    image = "a { background: url(data:image/png;base64,AAAA) }"
    assert safe_css(image) == image
    assert safe_css("a { b: '</style><script>' }").count("<") == 0
