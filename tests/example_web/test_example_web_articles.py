"""The fields of the example web's articles, against what its templates know, and which of its pages have an article."""

import re
from functools import cache

import pytest

import parcels
from jobs.articles import row_of
from parcels import example_web
from parcels.articles.article import Article
from parcels.errors import InputMissing

NEWS = example_web.hosts()[:3]
RIGHT = 0.98  # share of the articles


def pages(host: str) -> list[str]:
    return [*example_web.urls(host), *example_web.forbidden_urls(host)]


@cache
def truth(url: str) -> example_web.Truth | None:
    try:
        return example_web.truth(url)
    except InputMissing:
        return None


@cache
def article(url: str) -> Article:
    return parcels.extract(example_web.fetch(url).body, url)


def plain(text: str | None) -> str:
    return re.sub(r"\W+", " ", (text or "").lower()).strip()


def is_right(url: str, field: str) -> bool:
    found, wanted = getattr(article(url), field), getattr(truth(url), field)
    if field == "title":
        return plain(found) == plain(wanted)
    if field == "published":
        return (found or "")[:10] == (wanted or "")[:10]
    return sorted(map(plain, found)) == sorted(map(plain, wanted))


@pytest.mark.parametrize("field", ["title", "published", "authors"])
@pytest.mark.parametrize("host", NEWS)
def test_fields_are_those_of_the_templates(host, field):
    urls = [url for url in pages(host) if truth(url)]
    wrong = [url for url in urls if not is_right(url, field)]
    assert len(wrong) <= (1 - RIGHT) * len(urls), {url: getattr(article(url), field) for url in wrong}


def test_every_author_is_one_that_the_templates_name():
    names = {name for host in NEWS for url in pages(host) if truth(url) for name in truth(url).authors}
    found = {name: url for host in NEWS for url in pages(host) for name in article(url).authors if truth(url)}
    assert set(found) <= names, {name: url for name, url in found.items() if name not in names}


@pytest.mark.parametrize("host", example_web.hosts())
def test_only_articles_have_one_in_the_table(host):
    rows = {url: row_of(article(url), url, "content@1") for url in pages(host)}
    for url, row in rows.items():
        if truth(url):
            assert row["text"], url
            assert row["title"], url
        else:
            assert (row["title"], row["text"], row["authors"]) == (None, None, []), (url, row["page_type"])
            assert row["page_type"], url
            assert row["reason"], url


def test_links_under_most_read_are_not_taken_for_ads():
    labels = []
    for url in example_web.urls(NEWS[0]):  # the site with table layouts, where a box of ads follows without a gap
        blocks = parcels.blocks(example_web.fetch(url).body, url).blocks
        texts = [block.text for block in blocks]
        if "Most read this week" in texts:
            first, end = (
                texts.index("Most read this week") + 1,
                next(n for n, text in enumerate(texts) if "Ads by HarbourAds" in text),
            )
            labels += [block.label for block in blocks[first:end]]
    assert len(labels) > 100
    assert labels.count("ads") <= 0.06 * len(labels)
