"""Every kind of seed file, messy as they are found; each folder of tests/seeds has an input and what it must give."""

import io
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from crawler.fetch.robots import read_robots
from crawler.seeds import read_document, read_seeds
from crawler.seeds.discover import discover, usual_places
from crawler.seeds.dmoz import read_structure
from crawler.seeds.documents import kind_of, open_document
from crawler.seeds.markup import tokens
from crawler.seeds.seed import Seed, moment
from parcels import example_web
from parcels.errors import InputMissing, SkipRecord
from parcels.html.page import read_page

CASES = sorted(path for path in (Path(__file__).parents[1] / "seeds").iterdir() if path.is_dir())


def read(path: Path) -> dict:
    left_out: Counter[str] = Counter()
    body = path.read_bytes()
    kind, seeds = open_document([body], url="http://base.example/feeds/it", left_out=left_out, max_bytes=10**6)
    found = [{"url": s.url, "kind": s.kind, "topic": s.topic, "title": s.title,
              "published_at": s.published_at and s.published_at.isoformat()} for s in seeds]  # fmt: skip
    return {"kind": kind, "seeds": found, "left_out": dict(left_out)}


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_messy_file_gives_its_seeds(folder):
    expected = json.loads((folder / "expected.json").read_text())
    assert read(next(folder.glob("input.*"))) == expected


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_pieces_of_any_size_give_the_same(folder):
    body = next(folder.glob("input.*")).read_bytes()
    kind, whole = open_document([body], url="http://a.example/", max_bytes=10**6)
    expected = list(whole)
    for size in (1, 7, 64):
        pieces = [body[at : at + size] for at in range(0, len(body), size)]
        assert open_document(pieces, url="http://a.example/", max_bytes=10**6)[0] == kind
        assert list(open_document(pieces, url="http://a.example/", max_bytes=10**6)[1]) == expected


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_file_cut_off_anywhere_is_read_as_far_as_it_goes(folder):
    body = next(folder.glob("input.*")).read_bytes()
    for end in range(0, len(body), 13):
        list(open_document([body[:end]], url="http://a.example/", max_bytes=10**6)[1])


def test_a_fetched_body_has_a_kind_and_a_bound():
    urls = b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(50))
    left_out: Counter[str] = Counter()
    found = read_document(b"<urlset>" + urls, url="http://a.example/", left_out=left_out, max_seeds=20)
    assert (found.kind, len(found.seeds), left_out) == ("sitemap", 20, {"past the limit of a file": 1})
    assert read_document(b"<!doctype html><a href=/x>x</a>", url="http://a.example/").seeds == []


def test_a_bomb_is_refused():
    import gzip

    with pytest.raises(SkipRecord, match="too-large"):
        read_document(gzip.compress(b"<urlset>" + bytes(5_000_000)), url="http://a.example/", max_bytes=100_000)


def test_entities_are_not_expanded():
    bomb = (
        b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><rss><item><link>'
    )
    [seed] = read_document(bomb + b"http://a.example/&b;&c;</link></item></rss>", url="http://a.example/").seeds
    assert seed.url == "http://a.example/&b;&c;"


@pytest.mark.parametrize(
    "unit", [b"<!--", b"<![CDATA[", b"<a ", b'<a b="', b"<a b='", b"<", b"&", b"<item>", b"<a/", b"]]>"]
)
def test_hostile_markup_costs_no_more_than_its_length(unit):
    """Quadratic time would be minutes for such a file; the number of tokens is what can be counted without a clock."""
    body = unit * (200_000 // len(unit))
    assert sum(1 for _ in tokens([body[at : at + 65536] for at in range(0, len(body), 65536)])) <= len(body)


def test_the_structure_of_the_directory_is_a_stream_of_topics():
    xml = b"""<RDF><Topic r:id="Top"><narrow r:resource="Top/Arts"/></Topic>
    <Topic r:id="Top/Arts"><d:Title>Arts \x01&amp; more</d:Title><narrow1 r:resource="Top/Arts/Dance"/>
    <symbolic2 r:resource="Ballet:Top/Arts/Performing/Ballet"/><editor r:resource="someone"/>
    <Topic r:id="Top/Arts/\xff"></Topic>"""
    arts, broken = read_structure([xml[at : at + 50] for at in range(0, len(xml), 50)])
    assert arts == ("Arts", "Arts & more", ("Arts/Dance",), ("Arts/Performing/Ballet",))
    assert broken.path == "Arts/\ufffd"


def test_what_a_user_names(tmp_path, monkeypatch):
    file = tmp_path / "seeds.txt"
    file.write_text("http://a.example/\nhttp://b.example/\n")
    found = list(read_seeds([str(file), "https://news.example", "bare.example"]))
    assert [(seed.url, seed.kind) for seed in found] == [
        ("http://a.example/", "home"), ("http://b.example/", "home"), ("https://news.example/", "home"),
        ("http://bare.example/", "home"),
    ]  # fmt: skip
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://c.example/\n")))
    assert [seed.url for seed in read_seeds(["-"])] == ["http://c.example/"]


def test_a_wrong_name_is_an_error_before_the_first_seed():
    with pytest.raises(InputMissing, match=r"no such file\.txt is neither a file nor an address"):
        next(read_seeds(["http://a.example/", "no such file.txt"]))


def test_a_file_without_any_address_is_an_error_that_says_so(tmp_path):
    for name, content in (("empty.txt", b""), ("prose.txt", b"Once upon a time.\n"), ("picture", b"\x89PNG\0\0")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputMissing, match=f"No address found in .*{name}"):
            list(read_seeds([str(tmp_path / name)]))


def test_feeds_and_maps_that_a_page_names():
    html = """<head><base href="http://a.example/section/"><link rel="alternate stylesheet" href="/x.css">
    <link rel="ALTERNATE" type="application/rss+xml; charset=utf-8" title="News" href="rss.xml">
    <link rel=alternate type="application/rss+xml" href="/comments/feed/"><link rel=sitemap href=/map.xml>
    <link rel=alternate hreflang=de href="/de/"></head>
    <a href="/atom.xml">Atom</a><a href="http://other.example/feed">theirs</a><a href="/feeder-cattle">no</a>
    <a href="/sitemap-2024.xml.gz">map</a><a>no address</a>"""
    found = discover(read_page(html).root, url="http://a.example/")
    assert found == [
        Seed("http://a.example/section/rss.xml", "feed", title="News"), Seed("http://a.example/map.xml", "sitemap"),
        Seed("http://a.example/atom.xml", "feed"), Seed("http://a.example/sitemap-2024.xml.gz", "sitemap"),
    ]  # fmt: skip
    assert {seed.kind for seed in usual_places("http://a.example/x")} == {"feed", "sitemap"}


@pytest.mark.parametrize("first, kind", [
    (b"", "other"), (b"\x00\x01binary", "other"), (b"<svg>", "other"),
    (b"Call me\nIshmael. See http://a.example/", "other"), (b"<html><body>", "html"),
    (b"a.example\n", "list"), ("\ufeff<rss>".encode("utf-16-le"), "feed"), (b"<x:feed xmlns:x='a'>", "feed"),
    (b"<!-- <rss> --><urlset>", "sitemap"),
])  # fmt: skip
def test_the_first_bytes_decide_what_a_file_is(first, kind):
    assert kind_of(first) == kind


@pytest.mark.parametrize(
    "text", ["2024-13-45", "Tue, 99 Foo 2024", "2024-05-07T99:00:00Z", "0000-00-00", "x" * 1000, ""]
)
def test_a_time_that_is_none_is_none(text):
    assert moment(text) is None


@pytest.mark.parametrize("host", example_web.hosts()[:3])
def test_all_articles_of_a_site_are_found_from_its_home_page_and_robots(host):
    home = f"http://{host}/"
    robots = read_robots(200, example_web.fetch(f"{home}robots.txt").body, now=0.0)
    queue = [*discover(read_page(example_web.fetch(home).body).root, url=home)]
    queue += [Seed(url, "sitemap") for url in robots.sitemaps]
    pages, asked = set(), set()
    while queue:
        seed = queue.pop()
        if seed.kind == "page":
            pages.add(seed.url)
        elif seed.url not in asked:
            asked.add(seed.url)
            queue += read_document(example_web.fetch(seed.url).body, url=seed.url).seeds
    allowed = {url for url in example_web.article_urls(host) if robots.is_allowed(url)}
    assert allowed
    assert len(allowed & pages) >= 0.9 * len(allowed)
