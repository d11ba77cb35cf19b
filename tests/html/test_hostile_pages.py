"""Broken, huge and hostile pages: a result or a named reason, in bounded time, never a crash."""

import random
import time

import pytest

from benchmarks.quality.mutations import mutate, try_page
from parcels import example_web
from parcels.errors import SkipRecord
from parcels.html import parse
from parcels.html.page import read_page
from parcels.limits import Limits
from parcels.results import blocks

SECONDS = 5.0  # of CPU, so that a busy machine does not matter


def outcome(html: bytes, limits: Limits | None = None) -> str:
    started = time.process_time()
    try:
        page = read_page(html, limits=limits or Limits())
        result = " | ".join(page.leaves.text[:3])
    except SkipRecord as skipped:
        result = skipped.reason
    assert time.process_time() - started < SECONDS
    return result


def test_a_million_nested_tags_are_too_many_and_fewer_are_too_deep():
    assert outcome(b"<div>" * 1_000_000 + b"x") == "too-many-tags"
    assert outcome(b"<div>" * 1_000_000 + b"x", Limits(max_tags=2_000_000)) == "too-deep"
    assert outcome(b"<b>" * 250_000 + b"x") == "too-deep"


def test_deep_but_real_nesting_is_read():
    assert outcome(b"<div>" * 1500 + b"deep" + b"</div>" * 1500) == "deep"


def test_a_page_over_the_size_limit_is_too_large():
    assert outcome(b"<p>x</p>" * 1000, Limits(max_bytes=5000)) == "too-large"


def test_fifty_megabytes_of_text_are_read():
    page = b"<p>" + b"word " * 9_900_000
    assert outcome(page).startswith("word word")


def test_fifty_megabytes_of_tags_are_too_many():
    assert outcome(b"<p>" * 16_000_000) == "too-many-tags"


def test_end_tags_that_close_nothing_stop_at_the_time_limit():
    slow = b"<div>" * 2000 + b"</i>" * 900_000
    assert outcome(slow, Limits(seconds=0.5)) == "too-slow"


def test_two_hundred_thousand_attributes_do_not_hang_the_parser():
    attributes = b" ".join(b"a%d=1" % n for n in range(200_000))
    assert outcome(b"<p " + attributes + b">text") == "text"
    assert outcome(b"<p " + attributes) in ("empty", "")


def test_a_large_page_is_the_same_in_one_piece_and_in_many(monkeypatch):
    story = "<p class=lead>Fire at the <b>pier</b><p>Nobody was hurt"
    html = f"<script>{'if (a < b) c();' * 50_000}</script>{story * 400}".encode()
    assert parse.WHOLE_BYTES < len(html) <= parse.SPARSE_BYTES
    assert html.count(b"<") > parse.SPARSE_TAGS
    monkeypatch.setattr(parse, "SPARSE_TAGS", html.count(b"<"))
    whole = read_page(html)
    monkeypatch.setattr(parse, "SPARSE_TAGS", 0)
    fed = read_page(html)
    assert len(whole.leaves) == 3 * 400
    assert (whole.nodes.tags, whole.nodes.attributes, whole.leaves.text) == (
        fed.nodes.tags,
        fed.nodes.attributes,
        fed.leaves.text,
    )


def test_slow_markup_with_few_tags_stays_within_the_time_limit():
    slow = b"<p " + b" ".join(b"a%d" % number for number in range(4990)) + b">"
    assert outcome(slow * (parse.SPARSE_BYTES // len(slow)) + b"text") == "text"


def test_markup_behind_the_end_of_the_page_is_kept():
    assert outcome(b"<html><body><p>one</p></body></html><p>two</p></body></html>") == "one | two"


def test_an_unknown_element_in_the_head_does_not_hide_the_page():
    assert outcome(b'<title>t</title><base="http://x"><body><p>text</p>') == "text"


def test_a_title_that_is_never_closed_does_not_swallow_the_page():
    assert outcome(b"<html><head><title>News of the day\n<body><p>text</p>") == "text"


def test_a_comment_that_is_never_closed_does_not_swallow_the_page():
    assert outcome(b"<!-- by hand >\n<html><p>text</p>") == "text"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (b"plain words", "plain words"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='http://www.w3.org/1999/xhtml'><body>x</body></html>", "x"),
        (b"<frameset><frame src=a><noframes>no frames here</noframes></frameset>", "no frames here"),
        (b"<p>a\0b</p>", "ab"),
        (b"<p>&#0;&#x110000;&nosuch;</p>", "\ufffd\ufffd&nosuch;"),
        (b"<noscript>off</noscript><template><p>t</template><p>on", "on"),
        (b"<![CDATA[x]]><p>y", "y"),
        (b"<script>document.write('<p>no</p>')</script>yes", "yes"),
        (b"<p>one<plaintext><p>two", "one | <p>two"),
        (b"<>< ><p/>text</ p></p", "<>< > | text"),
    ],
)
def test_odd_pages_give_their_visible_text(html, expected):
    assert outcome(html) == expected


def test_mutated_pages_never_crash_or_hang():
    pages = [example_web.fetch(url).body for host in example_web.hosts() for url in example_web.urls(host)[:12]]
    for seed in range(600):
        rng = random.Random(seed)
        result = try_page(mutate(rng.choice(pages), rng), rng.choice(["fine", "coarse", "blockify"]))
        assert not result.startswith("!"), f"seed {seed}: {result}"


def test_a_page_without_leaves_has_no_blocks():
    for divider in ("fine", "coarse", "blockify"):
        assert blocks(b"<html><body><script>x</script></body></html>", divider=divider).blocks == ()
