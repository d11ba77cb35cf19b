"""Dividers: what becomes a block, and what holds for every page."""

import json
from pathlib import Path

import pytest

from parcels import example_web
from parcels.divide import DIVIDERS, block_text
from parcels.divide.fine import PAPER
from parcels.divide.fine import divide as fine
from parcels.html.page import Page, read_page
from parcels.inputs import BadPage, read_pages
from parcels.results import blocks

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*/page.html"))
CORPORA = ["news17", "news-unlabelled", "news-fields", "wcxb", "l3s-gn1", "dragnet", "segments", "webkb", "forms"]


def texts(page: Page, divider: str = "fine") -> list[str]:
    return [block_text(page, *leaves) for leaves in DIVIDERS[divider](page).ranges()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_the_fine_divider_cuts_a_page_as_expected(path):
    expected = json.loads((path.parent / "blocks.json").read_text())
    assert texts(read_page(path.read_bytes())) == expected


def check(page: Page) -> None:
    """Check the properties that every divider has on every page."""
    for name, divide in DIVIDERS.items():
        division = divide(page)
        covered = [leaf for first, end in division.ranges() for leaf in range(first, end)]
        assert covered == list(range(len(page.leaves))), f"{name}: each leaf in exactly one block, order kept"
        assert all(end > first for first, end in division.ranges()), f"{name}: no empty block"
        again = divide(page)
        assert again.first.tolist() == division.first.tolist(), f"{name}: same input, same blocks"
        for (first, end), container in zip(division.ranges(), division.container.tolist(), strict=True):
            inside = page.nodes.first_leaf[container] <= first < page.nodes.end_leaf[container]
            assert inside, f"{name}: the container holds the block's first leaf ({first}-{end})"


def test_every_page_of_the_example_web_is_divided_completely():
    for host in example_web.hosts():
        for url in example_web.urls(host):
            check(read_page(example_web.fetch(url).body, url))


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", CORPORA)
def test_every_page_of_the_corpora_is_divided_completely(corpora, corpus):
    count = 0
    for raw in read_pages([str(corpora / corpus / "pages.parquet")]):
        assert not isinstance(raw, BadPage)
        check(read_page(raw.html, raw.url, name=raw.name))
        count += 1
    assert count


def test_reading_a_page_twice_gives_the_same_blocks():
    for url in example_web.article_urls("lumen.example")[:5]:
        body = example_web.fetch(url).body
        assert blocks(body, url) == blocks(body, url)


def test_the_fine_divider_never_mixes_labels_of_different_blocks_on_the_example_web():
    """Each fine block of an article has one gold label, but for links in running text and lines of several facts."""
    mixed = total = 0
    for host in ("www.harbourcourier.example", "www.meridianpost.example", "lumen.example"):
        for url in example_web.article_urls(host):
            page = read_page(example_web.gold_html(url), url)
            labels = [_gold(page, row) for row in page.leaves.node.tolist()]
            for first, end in fine(page).ranges():
                found = {"maincontent" if label == "contentlink" else label for label in labels[first:end]}
                total += 1
                mixed += len(found) > 1
    assert mixed / total < 0.03, f"{mixed} of {total} blocks hold leaves of several labels"


def _gold(page: Page, row: int) -> str | None:
    while row >= 0:
        label = page.nodes.elements[row].get("data-gold")
        if label:
            return str(label)
        row = int(page.nodes.parent[row])
    return None


def test_the_papers_inventory_joins_list_items_and_stops_at_four_levels():
    page = read_page("<ul><li>One<li>Two</ul>" + "<div>" * 6 + "<p>a<p>b")
    found = [block_text(page, *leaves) for leaves in fine(page, PAPER).ranges()]
    assert found == ["One Two", "a b"]


def test_nesting_beyond_the_depth_limit_is_attached_higher_up():
    page = read_page("<div>" * 70 + "<p>a</p><p>b</p>")
    assert texts(page) == ["a b"]


def test_blockify_ends_a_block_at_every_block_level_tag_and_break():
    page = read_page("<div>One <img alt=pic> two<ul><li>three<br>four</ul>five <b>six</b></div>")
    assert texts(page, "blockify") == ["One pic two", "three", "four", "five six"]


def test_the_coarse_divider_keeps_an_article_together_and_menus_apart():
    url = example_web.article_urls("lumen.example")[0]
    result = blocks(example_web.fetch(url).body, url, divider="coarse")
    fine_count = len(blocks(example_web.fetch(url).body, url).blocks)
    assert 3 <= len(result.blocks) < fine_count / 2
    longest = max(result.blocks, key=lambda block: len(block.text))
    assert sum(len(paragraph) for paragraph in example_web.truth(url).paragraphs if paragraph in longest.text) > 500


def test_an_unknown_divider_names_the_known_ones():
    from parcels.errors import ConfigError

    with pytest.raises(ConfigError, match="fine, coarse, blockify"):
        blocks("<p>x", divider="fin")
