"""Content that scripts would show: streamed parts, a hidden body, and hidden content that extraction reads."""

import json
import time

from lxml import etree

from parcels.articles.article import extract
from parcels.articles.body.fallback import TEASER, hidden_text
from parcels.articles.body.parts import content_parts
from parcels.articles.fields.stated import Stated
from parcels.html.page import read_page

STORY = "The ferry ran aground at dawn, and the harbour master said that nobody had been hurt on board. "


def texts(html: str) -> list[str]:
    return read_page(html).leaves.text


def test_a_streamed_part_stands_where_its_placeholder_stood():
    html = (
        '<p>one<template id="B:1"></template><p>four'
        '<div hidden id="S:0"><p>two<template id="P:9"></template></div>'
        '<div hidden="" id="S:3"><p>three</div>tail'
        '<script>$RC("B:1","S:0");$RS("S:3","P:9")</script>'
    )
    assert texts(html) == ["one", "two", "three", "four", "tail"]


def test_a_streamed_part_without_a_placeholder_is_shown_where_it_came():
    assert texts('<p>one<div hidden id="S:7"><p>two</div>') == ["one", "two"]


def test_streamed_rows_of_a_table_are_shown():
    html = '<p>one<table hidden><tbody id="S:1"><tr><td>two</table>'
    assert texts(html) == ["one", "two"]


def test_a_part_that_holds_its_own_placeholder_or_is_one_of_thousands_is_no_trouble():
    assert texts('<p>one<div hidden id="S:0"><p>two<template id="B:0"></template></div>') == ["one", "two"]
    many = "".join(f'<div hidden id="S:{n}"><p>x{n}<template id="B:{n + 1}"></template></div>' for n in range(3000))
    start = time.process_time()
    assert len(texts(f'<template id="B:0"></template>{many}')) == 3000
    assert time.process_time() - start < 10


def test_other_hidden_elements_stay_hidden():
    assert texts('<p>one<div hidden id="menu"><p>two</div><p id="S:0">three') == ["one", "three"]


def test_a_body_that_waits_for_its_scripts_is_shown_with_the_rest_of_its_style():
    page = read_page(
        '<html style="display:none"><body style="opacity:0;VISIBILITY: hidden !important;color:red"><p>one'
    )
    assert page.leaves.text == ["one"]
    assert page.root.find("body").get("style") == "opacity:0;color:red"


def test_extraction_reads_what_only_subscribers_see():
    part = '<div class="subscriber-only" style="display:none"><p>{story}Part {n} of the report.</div>'
    hidden = "".join(part.format(story=STORY * 3, n=n) for n in range(6))
    html = f"<title>Ferry aground</title><article><h1>Ferry aground</h1><p>{STORY * 2}{hidden}</article>"
    assert "display:none" in html
    parts = content_parts(read_page(html))
    assert parts.is_hidden.tolist() == [False, False, *[True] * 6]
    found = extract(html, "https://news.example/2024/05/07/ferry-runs-aground")
    assert found.text.count("The ferry ran aground") >= 18


def test_a_page_that_hides_little_is_read_as_it_is_shown():
    page = read_page(f"<p>{STORY}<div style='display:none'><p>One<p>Two</div>")
    assert content_parts(page).page is page
    scripts = "".join("<script><p>x</p></script>" for _ in range(9))
    page = read_page(f"<p>{STORY}<noscript><p>a<p>b<p>c<p>d</noscript>{scripts}")
    assert content_parts(page).page is page


def story_in(data: object, shown: str = "Loading") -> list[str]:
    page = read_page(f'<p>{shown}<script type="application/json">{json.dumps(data)}</script>')
    return hidden_text(page, Stated((), "", ""), shown.count(" ") + 1)


def test_a_document_of_paragraphs_is_read_in_the_spellings_of_several_systems():
    text = STORY * 9
    for node in (
        {"type": "paragraph", "content": [{"type": "text", "value": text}]},
        {"nodeType": "paragraph", "content": [{"nodeType": "text", "value": text, "marks": []}]},
        {"_type": "block", "children": [{"_type": "span", "text": text}]},
        {"type": "paragraph", "data": {"text": text}},
    ):
        assert story_in({"props": {"story": {"body": {"content": [node]}}}}) == [text.strip()]


def test_a_page_that_shows_a_teaser_has_the_rest_of_its_story_from_its_document():
    paragraphs = [f"{n}. {STORY * 3}".strip() for n in range(40)]
    data = {"story": {"body": [{"type": "paragraph", "content": [{"value": text}]} for text in paragraphs]}}
    assert story_in(data, shown=STORY * 8) == paragraphs
    assert story_in(data, shown=" ".join(["word"] * TEASER)) == []
    menus = {"props": {"menu": [{"type": "link", "text": STORY}] * 40}}
    assert story_in(menus, shown=STORY * 8) == []


def test_broken_and_deep_json_has_no_claims():
    page = read_page('<p>Loading<script type="application/json">{"type": "paragraph", "text": </script>')
    assert hidden_text(page, Stated((), "", ""), 1) == []
    deep = '{"a":' * 5000 + '{"type":"paragraph"}' + "}" * 5000
    root = read_page(f'<p>Loading<script type="application/json">{deep}</script>')
    assert hidden_text(root, Stated((), "", ""), 1) == []
    assert isinstance(root.root, etree._Element)


def test_a_title_whose_end_is_broken_does_not_swallow_the_page():
    for end in ("</titavaScript>", '</titlevalue="true" -->', "(The Times)getElementById(x);\n</script>"):
        page = read_page(
            f"<html><head><title>Bush to Saudis{end}\n</head><body><h1>More oil</h1><p>{STORY}</body></html>"
        )
        assert page.leaves.text[-2:] == ["More oil", STORY.strip()], end
