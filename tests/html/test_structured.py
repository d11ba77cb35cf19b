"""Metadata of a page: JSON-LD, OpenGraph, microdata."""

from pathlib import Path

import pytest

from parcels import example_web
from parcels.html import tree
from parcels.html.page import read_page
from parcels.html.structured import MAX_CLAIMS, claims

PAGES = sorted((Path(__file__).parents[1] / "pages").rglob("*.html"))[:12]


def found(html: str) -> set[tuple[str, str]]:
    return {(claim.field, claim.value) for claim in claims(read_page(html + "<p>x"))}


def test_json_ld_in_a_graph_with_nested_authors_is_read():
    html = """<script type="application/ld+json">{"@graph": [{"@type": ["NewsArticle"], "headline": "Fire",
    "author": [{"name": "Ann"}, {"name": ["Bo", "Cy"]}, "Di"], "image": {"url": "a.jpg"}},
    {"@type": "Organization", "name": "Gazette"}]}</script>"""
    assert {("title", "Fire"), ("author", "Ann"), ("author", "Cy"), ("author", "Di"), ("image", "a.jpg")} <= found(html)
    assert ("title", "Gazette") not in found(html)


@pytest.mark.parametrize(
    "text",
    [
        '{"@type":"Article","headline":"A\nB",}',
        '<![CDATA[{"@type":"Article","headline":"A B"}]]>',
        '{"@type":"Article","headline":"A B"};',
    ],
)
def test_json_ld_with_common_faults_is_read(text):
    assert ("title", "A B") in found(f'<script type="application/ld+json">{text}</script>')


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "null", "3", '{"@type": {"a": 1}, "author": [[[1]]]}', "x" * 3_000_000]
)
def test_hostile_json_ld_is_passed_over(text):
    assert isinstance(found(f'<script type="application/ld+json">{text}</script>'), set)


def test_meta_tags_microdata_and_canonical_links_are_read():
    html = """<html lang=en><title>T | Gazette</title><meta name=author content=Ann><link rel=canonical href=/a>
    <meta property=article:published_time content=2025-05-04><span itemprop=author><b itemprop=name>Bo</b> writes</span>
    <time itemprop=datePublished datetime=2025-05-05>May</time><svg><title>icon</title></svg>"""
    assert found(html) >= {
        ("language", "en"), ("title", "T | Gazette"), ("author", "Ann"), ("url", "/a"), ("published", "2025-05-04"),
        ("author", "Bo"), ("published", "2025-05-05"),
    }  # fmt: skip
    assert ("title", "icon") not in found(html)


def test_the_number_of_claims_is_bounded():
    html = "".join(f"<meta name=author content=a{n}>" for n in range(5000))
    assert len(found(html)) <= MAX_CLAIMS + 5


def test_articles_of_the_example_web_state_their_titles():
    for url in example_web.article_urls("lumen.example"):
        page = read_page(example_web.fetch(url).body, url)
        titles = {claim.value for claim in claims(page) if claim.field == "title"}
        assert example_web.truth(url).title in titles


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_claims_are_the_same_without_the_compiled_reader_of_trees(monkeypatch, path):
    compiled = claims(read_page(path.read_bytes(), "https://news.example/world/story-1"))
    monkeypatch.setattr(tree, "_reader", None)
    assert claims(read_page(path.read_bytes(), "https://news.example/world/story-1")) == compiled
