"""Lines of a reporter and a time: what each leaf is."""

import pytest

from parcels.divide import fine
from parcels.html.page import read_page
from parcels.labels.bylines import byline_leaves
from parcels.labels.features import measure
from parcels.layout.render import lay_out

STATED = '<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Qzx Vrbl"}}</script>'


def leaves(html: str, label: str, head: str = "") -> list[str | None]:
    page = read_page(f"<html><head>{head}</head><body>{html}</body></html>")
    measured = measure(fine.divide(page), lay_out(page))
    found = byline_leaves([label] * len(measured), measured)
    return [found.get(leaf) for leaf in range(len(page.leaves))]


@pytest.mark.parametrize("label", ["reporter", "timestamp"])
def test_the_name_is_the_reporter_and_the_date_the_time(label):
    html = "<p>By <a href='/staff/ann'>Ann Lee</a> | <time>6 January 2004</time></p>"
    assert leaves(html, label) == ["reporter", "reporter", "reporter", "timestamp"]


def test_what_introduces_a_time_goes_with_it():
    html = "<p>By <a href='/a'>Ann Lee</a> <i>Staff Writer</i> <b>Last updated:</b> <time>6 January 2004</time></p>"
    assert leaves(html, "timestamp") == ["reporter", "reporter", "reporter", "timestamp", "timestamp"]


def test_behind_by_stands_a_name_whatever_it_looks_like():
    assert leaves("<p>Posted on <b>6 January 2004</b> <i>by</i> <a href='/a'>admin</a></p>", "timestamp") == [
        "timestamp", "timestamp", "reporter", "reporter"
    ]  # fmt: skip


def test_an_author_that_the_page_states_is_a_name():
    html = "<p><a href='/a'>Qzx Vrbl</a> <time>6 January 2004</time></p>"
    assert leaves(html, "timestamp") == [None, None]
    assert leaves(html, "timestamp", STATED) == ["reporter", "timestamp"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>By Ann Lee | 6 January 2004</p>",  # one leaf
        "<p><b>Published</b> <time>6 January 2004</time></p>",
        "<p>By <a href='/a'>Ann Lee</a></p>",
        "<p>By <a href='/a'>Ann Lee</a> <b>6 January 2004</b> " + "and much more text " * 20 + "</p>",
    ],
)
def test_what_is_one_thing_keeps_its_label(html):
    assert set(leaves(html, "reporter")) == {None}


def test_lines_with_other_labels_keep_them():
    assert set(leaves("<p>By <a href='/a'>Ann Lee</a> <time>6 January 2004</time></p>", "maincontent")) == {None}
