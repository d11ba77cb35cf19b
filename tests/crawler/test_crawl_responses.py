"""The entries and table rows that responses become."""

import json

import pytest
from crawl_loop import fetch_all, html, links, options, site

from crawler.frontier.contract import PAGE, SHEET, Lease
from crawler.links.extract import links_of
from crawler.responses import ReadContext, Response, Retry, read_response
from crawler.run import CrawlRun
from crawler.spiders.news import NewsLinkPolicy
from parcels.store import open_store

HOME = "http://a.example/"


def lease(url=HOME, kind=PAGE, **fields):
    usual = Lease(1, "a.example", url, 0.0, 0, None, None, kind, 0, None, 1, 0)
    return usual._replace(**fields)


@pytest.fixture
def context():
    link_policy = NewsLinkPolicy()
    link_policy.scope.add(HOME)
    return ReadContext(link_policy)


def crawled(tmp_path, pages, **fields):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), **fields))
    leases = fetch_all(run, site(pages))
    return open_store(tmp_path / "store"), leases


def test_a_page_its_links_and_its_sheets_become_rows(tmp_path):
    home = (
        '<link rel=stylesheet href=/s.css><a href="/b#x" rel="Author">To <b>b</b></a><a href="http://c.example/">c</a>'
    )
    sheet = Response(200, [("Content-Type", "text/css")], b'@import "t.css"; p { color: red }', 1.0)
    more = Response(200, [("Content-Type", "text/css")], b"p { margin: 0 }", 1.0)
    store, _ = crawled(
        tmp_path,
        {HOME: home, "http://a.example/b": "<p>B", "http://a.example/s.css": sheet, "http://a.example/t.css": more},
    )
    pages = {row["url"]: row for row in store.read("pages").to_pylist()}
    assert set(pages) == {HOME, "http://a.example/b"}
    assert pages[HOME]["html"] == home.encode()
    assert (pages[HOME]["depth"], pages["http://a.example/b"]["depth"]) == (0, 1)
    assert pages["http://a.example/b"]["referrer"] == HOME
    sheets = {row["url"]: row["content_hash"] for row in store.read("resources").to_pylist()}
    assert set(sheets) == {"http://a.example/s.css", "http://a.example/t.css"}
    assert pages[HOME]["sheets"] == [
        {"path": "http://a.example/s.css", "content_hash": sheets["http://a.example/s.css"]}
    ]
    found = [(r["n"], r["target"], r["anchor"], r["rel"], r["is_queued"]) for r in store.read("links").to_pylist()]
    assert found == [(0, "http://a.example/b", "To b", "author", True), (1, "http://c.example/", "c", None, False)]


def test_no_css_leaves_sheets_alone(tmp_path):
    store, leases = crawled(tmp_path, {HOME: "<link rel=stylesheet href=/s.css><p>A"}, css=False)
    assert not any(lease.kind == SHEET for lease in leases)
    assert store.read("pages").to_pylist()[0]["sheets"] is None


def test_a_redirect_is_a_row_and_its_target_another(tmp_path):
    moved = html("", status=301, Location="/new")
    store, _ = crawled(tmp_path, {HOME: moved, "http://a.example/new": "<p>New"})
    pages = {row["url"]: (row["status"], row["final_url"], row["html"]) for row in store.read("pages").to_pylist()}
    assert pages[HOME] == (301, "http://a.example/new", b"")
    assert pages["http://a.example/new"] == (200, "http://a.example/new", b"<p>New")


def test_redirects_without_end_are_buried(tmp_path):
    store, leases = crawled(
        tmp_path,
        {HOME: html("", status=302, Location="/0")}
        | {f"http://a.example/{n}": html("", status=302, Location=f"/{n + 1}") for n in range(50)},
    )
    assert [row["reason"] for row in store.read("rejects").to_pylist()] == ["too-many-redirects"]
    assert len(leases) < 20


def test_what_is_gone_is_a_reject_with_its_reason(tmp_path):
    store, _ = crawled(tmp_path, {HOME: links("/gone", "/denied"), "http://a.example/denied": html("", status=403)})
    assert {(row["record"], row["reason"]) for row in store.read("rejects").to_pylist()} == {
        ("http://a.example/gone", "http-404"),
        ("http://a.example/denied", "http-403"),
    }


def test_a_failing_server_is_asked_again_and_then_given_up(tmp_path):
    store, leases = crawled(tmp_path, {HOME: html("", status=500)}, robots=False)
    assert [(lease.url, lease.attempt) for lease in leases] == [(HOME, n) for n in range(4)]
    assert store.read("rejects").to_pylist()[0]["reason"] == "http-500"


def test_retry_after_is_obeyed_for_the_whole_host(context):
    found = read_response(lease(), html("", status=429, Retry_After="120"), context)
    assert isinstance(found, Retry)
    assert (found.wait, found.host_wait) == (120, 120)
    assert read_response(lease(), html("", status=500), context).host_wait is None
    unreadable = read_response(lease(), html("", status=429, Retry_After="\u00b2"), context)
    assert unreadable.host_wait == read_response(lease(), html("", status=429), context).host_wait


def test_noindex_is_obeyed_and_recorded_and_its_links_are_followed(tmp_path):
    page = "<meta name=robots content=noindex>" + links("/b")
    store, _ = crawled(tmp_path, {HOME: page, "http://a.example/b": "<p>B"})
    assert [row["url"] for row in store.read("pages").to_pylist()] == ["http://a.example/b"]
    assert store.read("rejects").to_pylist()[0]["reason"] == "noindex"


def test_nofollow_is_obeyed(tmp_path):
    page = "<a href=/b rel=nofollow>b</a><a href=/c>c</a>"
    store, leases = crawled(
        tmp_path,
        {HOME: page, "http://a.example/c": "<meta name=robots content=nofollow><a href=/d>d</a>"},
        robots=False,
    )
    assert {lease.url for lease in leases} == {HOME, "http://a.example/c"}
    assert store.read("links").num_rows == 3


def test_a_page_that_stands_elsewhere_is_stored_there(tmp_path):
    print_version = '<link rel=canonical href="/story"><p>Story for printers'
    store, _ = crawled(
        tmp_path,
        {
            HOME: links("/story?print=1"),
            "http://a.example/story?print=1": print_version,
            "http://a.example/story": '<link rel=canonical href="/story"><p>Story',
        },
    )
    assert {row["url"] for row in store.read("pages").to_pylist()} == {HOME, "http://a.example/story"}
    assert store.read("rejects").to_pylist()[0]["reason"] == "not-canonical"


def test_two_pages_that_point_at_each_other_are_not_both_lost(tmp_path):
    store, _ = crawled(
        tmp_path,
        {
            HOME: links("/x"),
            "http://a.example/x": '<link rel=canonical href="/y"><p>X',
            "http://a.example/y": '<link rel=canonical href="/x"><p>Y',
        },
    )
    assert "http://a.example/y" in {row["url"] for row in store.read("pages").to_pylist()}


def test_robots_txt_forbids_and_says_where_the_site_map_is(tmp_path):
    rules = b"User-agent: *\nDisallow: /private\nSitemap: http://a.example/map.xml\n"
    robots = Response(200, [("Content-Type", "text/plain")], rules, 1.0)
    site_map = Response(
        200, [("Content-Type", "text/xml")], b"<urlset><url><loc>http://a.example/far</loc></url></urlset>", 1.0
    )
    store, leases = crawled(
        tmp_path,
        {
            HOME: links("/private/x"),
            "http://a.example/robots.txt": robots,
            "http://a.example/map.xml": site_map,
            "http://a.example/far": "<p>Far",
        },
    )
    assert "http://a.example/private/x" not in {lease.url for lease in leases}
    assert {row["url"] for row in store.read("pages").to_pylist()} == {HOME, "http://a.example/far"}
    assert [row["reason"] for row in store.read("rejects").to_pylist()] == ["robots"]


def test_a_feed_is_found_and_asked_for_before_other_links(tmp_path):
    feed = Response(
        200,
        [("Content-Type", "application/rss+xml")],
        b"<rss><channel><item><link>http://a.example/news/1</link></item></channel></rss>",
        1.0,
    )
    home = '<link rel=alternate type="application/rss+xml" href=/rss>' + links("/about", "/terms")
    _, leases = crawled(
        tmp_path,
        {
            HOME: home,
            "http://a.example/rss": feed,
            "http://a.example/news/1": "<p>News",
            "http://a.example/about": "<p>A",
        },
        robots=False,
    )
    assert [lease.url for lease in leases][:2] == [HOME, "http://a.example/rss"]
    assert "http://a.example/news/1" in {lease.url for lease in leases}


def test_an_unchanged_page_is_a_row_without_a_body(context):
    context = ReadContext(context.link_policy, revisit=True)
    first = read_response(lease(), html("<p>Same", ETag='"e1"'), context)
    assert first.revisit_in > 0
    notes = json.loads(first.extra)
    assert notes["etag"] == '"e1"'
    again = lease(extra=first.extra, visit=2)
    same = read_response(again, html("<p>Same", at=1_800_090_000.0), context)
    assert (same.body, same.page["content_hash"]) == (b"", first.page["content_hash"])
    unchanged = read_response(again, html("", status=304, at=1_800_090_000.0), context)
    assert (unchanged.page["status"], unchanged.page["content_hash"]) == (304, first.page["content_hash"])
    other = read_response(again, html("<p>Other", at=1_800_090_000.0), context)
    assert other.body == b"<p>Other"
    assert len(json.loads(other.extra)["history"]) == 2


def test_a_revisit_asks_whether_something_has_changed(tmp_path, monkeypatch):
    import crawler.responses

    monkeypatch.setattr(crawler.responses, "next_visit", lambda history: history[-1][0])
    answers = {1: html("<p>Same", ETag='"e1"'), 2: html("", status=304)}
    run = CrawlRun(options(tmp_path, seeds=(HOME,), revisit=True, robots=False))
    from crawl_loop import step

    first = step(run, lambda lease: answers[lease.visit])
    run.sink.settle()
    second = step(run, lambda lease: answers[lease.visit])
    run.close()
    assert (first.visit, second.visit) == (1, 2)
    assert json.loads(second.extra)["etag"] == '"e1"'
    rows = open_store(tmp_path / "store").read("pages", columns=["page_id", "visit", "status", "html"]).to_pylist()
    assert sorted((row["visit"], row["status"], row["html"]) for row in rows) == [(1, 200, b"<p>Same"), (2, 304, b"")]
    assert len({row["page_id"] for row in rows}) == 2


def test_depth_and_budget_bound_a_crawl(tmp_path):
    chain = {HOME: links("/1")} | {f"http://a.example/{n}": links(f"/{n + 1}") for n in range(1, 9)}
    _, leases = crawled(tmp_path, chain, depth=3, robots=False)
    assert len(leases) == 4
    wide = {HOME: links(*(f"/{n}" for n in range(20)))} | {f"http://a.example/{n}": "<p>x" for n in range(20)}
    _, leases = crawled(tmp_path / "other", wide, per_host=5, robots=False)
    assert len(leases) == 5


def test_a_limit_stops_and_the_same_command_goes_on(tmp_path):
    wide = {HOME: links(*(f"/{n}" for n in range(20)))} | {f"http://a.example/{n}": f"<p>{n}" for n in range(20)}
    asked = []
    for limit in (5, 5, None):
        run = CrawlRun(options(tmp_path, seeds=(HOME,), limit=limit, robots=False))
        asked += fetch_all(run, site(wide))
        if limit:
            assert run.session.counts["pages"] == 5
    assert len({lease.url for lease in asked}) == len(asked) == 21
    assert open_store(tmp_path / "store").read("pages").num_rows == 21


def test_links_are_read_once_and_in_order():
    page = b'<base href="/x/"><a href=" y ">one</a><a href="#top">no</a><a href="mailto:a@b">no</a>'
    page += b'<map><area href="/z" alt="two"></map><a href="/w"><img alt="three"></a>'
    found = links_of(page, HOME)
    assert [(link.target, link.anchor) for link in found.links] == [
        ("http://a.example/x/y", "one"),
        ("http://a.example/z", "two"),
        ("http://a.example/w", "three"),
    ]


def test_a_page_that_cannot_be_read_says_why():
    assert links_of(b"%PDF-1.4", HOME).skipped == "binary"


def test_a_directory_is_walked_by_category_and_its_sites_have_topics(tmp_path):
    top = "http://dir.example/Top/"
    pages = {
        top: '<a href="/Top/Arts/">Arts</a><a href="/about.html">about</a>',
        "http://dir.example/Top/Arts/": '<a href="http://one.example/">One, a site of art</a>',
        "http://one.example/": '<a href="/deeper">deeper</a>',
    }
    run = CrawlRun(options(tmp_path, seeds=(top,), spider="directory", robots=False))
    leases = fetch_all(run, site(pages))
    assert {lease.url for lease in leases} == set(pages)
    assert next(lease.topic for lease in leases if lease.host == "one.example").endswith("Arts")


def test_topics_are_columns_of_pages(tmp_path):
    (tmp_path / "urls.tsv").write_text("http://one.example/\tTop/Arts\nhttp://two.example/\tTop/News\n")
    run = CrawlRun(options(tmp_path, seeds=(str(tmp_path / "urls.tsv"),), spider="directory", robots=False))
    fetch_all(run, site({"http://one.example/": "<p>One", "http://two.example/": "<p>Two"}))
    rows = open_store(tmp_path / "store").read("pages", columns=["url", "topic"]).to_pylist()
    assert {row["url"]: row["topic"] for row in rows} == {
        "http://one.example/": "Top/Arts",
        "http://two.example/": "Top/News",
    }
