"""A crawl that stores only some types of pages, and follows all."""

import json

import pytest
from crawl_loop import fetch_all, html, links, options, site

from crawler.frontier.contract import PAGE, Lease
from crawler.links.page_types import PageTypeFilter
from crawler.responses import ReadContext, read_response
from crawler.run import CrawlRun
from crawler.spiders.news import NewsLinkPolicy
from parcels import example_web
from parcels.errors import ConfigError
from parcels.html.page import read_page
from parcels.pagetypes.model import page_types_at
from parcels.store import open_store

HOME = "http://a.example/"
STORY = "http://a.example/2024/05/07/a-fire-in-the-old-town"


def story() -> str:
    text = "".join(f"<p>{'The brigade said that it burned for hours. ' * 9}" for _ in range(8))
    return f'<meta property="og:type" content="article"><title>A fire</title><article><h1>A fire</h1>{text}</article>'


def teasers() -> str:
    return links("/2024/05/07/a-fire-in-the-old-town", *(f"/tag/{n}" for n in range(40)))


def test_only_articles_are_stored_and_lists_are_followed(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, page_types="article"))
    fetch_all(run, site({HOME: teasers(), STORY: story()}))
    store = open_store(tmp_path / "store")
    assert [row["url"] for row in store.read("pages", columns=["url"]).to_pylist()] == [STORY]
    left_out = store.read("rejects", columns=["record", "reason", "detail"]).to_pylist()
    mine = [row for row in left_out if row["reason"] == "page-type"]
    assert [row["record"] for row in mine] == [HOME]
    assert mine[0]["detail"].split()[0] in page_types_at().by_names.types
    assert len(store.read("links", columns=["target"])) > 40


def test_a_page_that_was_left_out_and_has_not_changed_is_left_out_again():
    link_policy = NewsLinkPolicy()
    link_policy.scope.add(HOME)
    kept = PageTypeFilter(frozenset(["forum"]), lambda page: ("article", 0.9))
    context = ReadContext(link_policy, revisit=True, kept_types=kept)
    lease = Lease(1, "a.example", HOME, 0.0, 0, None, None, PAGE, 0, None, 1, 0)
    first = read_response(lease, html("<p>Same", ETag='"e1"'), context)
    assert (first.page, first.body, first.reject) == (None, b"", ("page-type", "article 0.90"))
    extra = first.extra
    for visit in (2, 3):
        again = read_response(lease._replace(extra=extra, visit=visit), html("", status=304), context)
        assert again.page is None
        extra = again.extra
        assert json.loads(extra)["left_out"]


def test_a_page_that_cannot_be_read_is_kept():
    assert PageTypeFilter.of("article").other_type(b"\x00" * 64, HOME, "text/html") is None


@pytest.mark.parametrize(("given", "said"), [("artikle", "Did you mean 'article'?"), (" ,", "names no type")])
def test_an_unknown_type_names_the_nearest(given, said):
    with pytest.raises(ConfigError, match=said.replace("?", r"\?")):
        PageTypeFilter.of(given)


def test_articles_of_the_example_web_are_told_from_other_pages_without_layout():
    model, right, wrong = page_types_at(), 0, []
    for host in example_web.hosts()[:3]:
        articles = set(example_web.article_urls(host))
        for url in example_web.urls(host):
            answer = example_web.fetch(url)
            if answer.status != 200 or "html" not in answer.headers.get("Content-Type", ""):
                continue
            kind, chance = model.at_a_glance(read_page(answer.body, url))
            if (kind == "article") == (url in articles):
                right += 1
            else:
                wrong.append((url, kind, round(chance, 2)))
    assert right >= 0.85 * (right + len(wrong)), wrong
