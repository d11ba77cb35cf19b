"""Pages in old markup: the same leaves in the same order, without what tells a label."""

import pytest

from parcels import example_web
from parcels.html.page import Page, read_page
from parcels.labels.aged import Age, aged, is_aged

ALL = Age(no_names=True, no_headings=True, no_paragraphs=True, no_lists=True, tables=True)
PAGE = """<html><head><title>t</title><script type="application/ld+json">{"headline": "x"}</script>
<style>.a {color: red}</style></head><body><header class="top"><img src="l.png" alt="Logo"><nav id="menu"><ul>
<li><a href="/a">World</a><li><a href="/b">Sport</a><li><a href="/c">Money</a></ul></nav></header>
<div class="page"><main><article><h1>Ferry &amp; fog</h1><p>By <a rel="author" href="/x">Ann Lee</a></p>
<p>First <em>very</em> thick.</p><p>Second.</p><p style="display: none">Unseen</p></article></main>
<aside class="sidebar"><h2>Most read</h2><a href="/1">One</a><a href="/2">Two</a><a href="/3">Three</a></aside></div>
<footer>© Courier <a href="/t">Terms</a> <a href="/p">Privacy</a></footer></body></html>"""


def leaves(page: Page) -> list[tuple[str, str]]:
    return list(zip(page.leaves.kind, page.leaves.text, strict=True))


def test_the_leaves_stay_in_order():
    page = read_page(PAGE, name="ferry")
    assert leaves(read_page(aged(page, ALL))) == leaves(page)
    assert ("text", "Unseen") not in leaves(page)


def test_nothing_new_and_no_name_is_left():
    found = read_page(aged(read_page(PAGE, name="ferry"), ALL))
    tags = {element.tag for element in found.nodes.elements}
    assert not tags & {"header", "nav", "main", "article", "aside", "footer", "h1", "h2", "p", "ul", "li", "style"}
    assert {"table", "td", "font", "br"} <= tags
    assert not any(element.get("class") or element.get("id") or element.get("rel") for element in found.nodes.elements)


def test_a_side_column_becomes_a_cell_beside_the_text():
    found = read_page(aged(read_page(PAGE, name="ferry"), ALL))
    rows = [element for element in found.nodes.elements if element.tag == "tr" and len(element) > 1]
    assert [[("Ferry" in (cell.xpath("string()"))) for cell in row] for row in rows] == [[True, False]]


def test_each_form_of_ageing_can_be_left_out():
    none = Age(no_names=False, no_headings=False, no_paragraphs=False, no_lists=False, tables=False)
    found = read_page(aged(read_page(PAGE, name="ferry"), none))
    tags = {element.tag for element in found.nodes.elements}
    assert {"h1", "p", "li"} <= tags
    assert "table" not in tags
    assert any(element.get("class") == "sidebar" for element in found.nodes.elements)


def test_a_page_ages_the_same_way_each_time_and_pages_differ():
    assert Age.of("one") == Age.of("one")
    assert len({Age.of(str(number)) for number in range(50)}) > 5
    assert 0.3 < sum(is_aged(str(number)) for number in range(200)) / 200 < 0.7


@pytest.mark.parametrize("host", example_web.hosts())
def test_the_example_web_keeps_its_leaves(host: str):
    for url in example_web.article_urls(host)[:2]:
        answer = example_web.fetch(url)
        page = read_page(answer.body, url, content_type=answer.headers["Content-Type"])
        found = read_page(aged(page, ALL), url)
        assert [text for _, text in leaves(found)] == [text for _, text in leaves(page)]


@pytest.mark.parametrize(
    "html",
    ["no body", "<body>", "<frameset><frame src=a></frameset>", "<table><tr>x", '<p>a<ahref="/x">b', '<p {a="1">b'],
)
def test_odd_pages_age_too(html: str):
    page = read_page(html)
    assert leaves(read_page(aged(page, ALL))) == leaves(page)
