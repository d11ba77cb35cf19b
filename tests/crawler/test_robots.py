"""robots.txt by RFC 9309, and what pages themselves ask of robots."""

import json

import pytest

from crawler.fetch.directives import canonical_link, metas_of, page_directives
from crawler.fetch.robots import DAY, KEEP_SECONDS, MAX_BYTES, MAX_DELAY, Robots, read_robots, robots_url
from parcels import example_web
from parcels.html.page import read_page

RULES = b"""\xef\xbb\xbf# rules
User-agent: parcels
Crawl-delay: 3
Disallow: /private/
Allow: /private/open$
Disallow: /*.pdf$

User-agent: *
Disallow: /

sitemap: /relative.xml
Sitemap: http://a.example/map.xml
SITEMAP: http://a.example/map.xml#again
"""


@pytest.fixture
def robots() -> Robots:
    return read_robots(200, RULES, now=0.0)


@pytest.mark.parametrize("path, is_allowed", [
    ("/", True), ("/private/x", False), ("/private/open", True), ("/private/opened", False), ("/a.pdf", False),
    ("/a.pdf?x", True), ("/PRIVATE/x", True), ("/%70rivate/x", False),
])  # fmt: skip
def test_the_longest_rule_of_our_own_group_decides(robots, path, is_allowed):
    assert robots.is_allowed(f"http://a.example{path}", "parcels") is is_allowed


def test_another_agent_gets_the_rules_for_all(robots):
    assert not robots.is_allowed("http://a.example/", "otherbot/1.0")
    assert robots.is_allowed("http://a.example/", "parcels/0.1 (+http://a.example/bot)")


def test_a_delay_is_read_and_bounded(robots):
    assert (robots.delay("parcels"), robots.delay("otherbot")) == (3.0, None)
    rate = read_robots(200, b"User-agent: *\nRequest-rate: 1/10s\nCrawl-delay: 2", now=0)
    assert rate.delay() == 10.0
    for text in (b"Crawl-delay: -5", b"Crawl-delay: nan", b"Crawl-delay: soon", b"Crawl-delay:"):
        assert read_robots(200, b"User-agent: *\n" + text, now=0).delay() is None
    assert read_robots(200, b"User-agent: *\nCrawl-delay: 1e99", now=0).delay() in (MAX_DELAY, None)


def test_site_maps_are_canonical_and_once(robots):
    assert robots.sitemaps == ["http://a.example/map.xml"]


@pytest.mark.parametrize("status, state", [
    (200, "rules"), (204, "rules"), (301, "allow"), (401, "allow"), (403, "allow"), (404, "allow"), (410, "allow"),
    (429, "disallow"), (500, "disallow"), (503, "disallow"), (None, "disallow"),
])  # fmt: skip
def test_the_status_decides_where_there_are_no_rules(status, state):
    found = read_robots(status, b"", now=5.0)
    assert found.state == state
    assert found.is_allowed("http://a.example/x") is (state != "disallow")
    assert found.is_unreachable is (state == "disallow")


def test_rules_are_kept_a_day_and_a_failure_is_asked_again_sooner_and_ever_later():
    assert read_robots(200, RULES, now=7.0).expires_at == 7.0 + KEEP_SECONDS
    failed = read_robots(503, b"", now=0.0)
    waits = []
    for _ in range(12):
        waits.append(failed.expires_at - failed.fetched_at)
        failed = read_robots(503, b"", now=failed.expires_at, before=failed)
    assert waits == sorted(waits)
    assert waits[0] < 3600 <= waits[-1] < DAY


def test_known_rules_outlive_an_outage(robots):
    after = read_robots(503, b"", now=DAY, before=robots)
    assert after.is_unreachable
    assert not after.is_allowed("http://a.example/private/x")
    assert after.is_allowed("http://a.example/x")
    back = read_robots(200, b"User-agent: *\nDisallow: /x", now=2 * DAY, before=after)
    assert (back.is_unreachable, back.is_allowed("http://a.example/x")) == (False, False)


def test_a_site_that_never_answers_counts_after_thirty_days_as_one_without_rules():
    failed = read_robots(None, b"", now=0.0)
    assert not read_robots(None, b"", now=29 * DAY, before=failed).is_allowed("http://a.example/")
    assert read_robots(None, b"", now=30 * DAY, before=failed).is_allowed("http://a.example/")


def test_a_huge_file_is_cut_at_the_end_of_a_line():
    body = b"User-agent: *\n" + b"Disallow: /a\n" * 100_000 + b"Disallow: /late"
    found = read_robots(200, body, now=0)
    assert len(found.text) <= MAX_BYTES
    assert found.text.endswith("Disallow: /a")
    assert not found.is_allowed("http://a.example/abc")


def test_a_record_is_plain_data(robots):
    again = Robots.from_data(json.loads(json.dumps(robots.to_data())))
    assert again == robots


@pytest.mark.parametrize(
    "body", [b"", b"<html>not found</html>", b"\x00\xff\xfe\x80", b"Disallow: /", b"User-agent:\n:\n" * 50]
)
def test_rubbish_forbids_nothing_and_breaks_nothing(body):
    found = read_robots(200, body, now=0)
    assert found.is_allowed("http://a.example/x")
    assert found.sitemaps == []


def test_where_the_rules_are():
    assert robots_url("http://A.example:80/x?y#z") == "http://a.example/robots.txt"
    with pytest.raises(ValueError, match="mailto"):
        robots_url("mailto:x@a.example")


@pytest.mark.parametrize("host", example_web.hosts())
def test_the_rules_of_the_example_web(host):
    robots = read_robots(200, example_web.fetch(f"http://{host}/robots.txt").body, now=0.0)
    assert not any(robots.is_allowed(url) for url in example_web.forbidden_urls(host))


@pytest.mark.parametrize("headers, metas, said", [
    ([], [("robots", "noindex,nofollow")], (True, True, False)),
    ([], [("Robots", "NOINDEX NOFOLLOW")], (True, True, False)),
    ([], [("robots", "none")], (True, True, False)),
    ([], [("robots", "all"), ("description", "noindex")], (False, False, False)),
    ([], [("otherbot", "noindex"), ("parcels", "noarchive")], (False, False, True)),
    ([("x-robots-tag", "noindex")], [("robots", "index, follow")], (True, False, False)),
    ([("X-Robots-Tag", "parcels: nofollow"), ("X-Robots-Tag", "otherbot: noindex")], [], (False, True, False)),
    ([("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow")], [], (False, True, False)),
    ([("X-Robots-Tag", "max-snippet:-1, max-image-preview:large")], [("robots", "index")], (False, False, False)),
    ([], [("robots", "")], (False, False, False)),
])  # fmt: skip
def test_what_a_page_asks_of_robots(headers, metas, said):
    assert page_directives(headers, metas, "parcels")[:3] == said


def test_what_was_said_is_recorded():
    root = read_page('<meta name="robots" content="NoIndex, max-snippet:20"><meta charset=utf-8><p>x').root
    assert page_directives([], metas_of(root)).words == ("max-snippet", "noindex")


@pytest.mark.parametrize("html, headers, canonical", [
    ('<link rel="canonical" href="/x?utm_source=a">', [], "http://a.example/x"),
    ('<base href="http://b.example/d/"><link rel="next canonical" href="y">', [], "http://b.example/d/y"),
    ('<link rel="canonical" href=""><link rel=canonical href="mailto:x@y"><link rel=canonical href=/z>', [],
     "http://a.example/z"),
    ("<p>x", [("Link", '<http://a.example/pdf>; rel="alternate", <http://c.example/c>; rel="canonical"')],
     "http://c.example/c"),
    ("<p>x", [("Link", "<broken"), ("Other", "<http://a.example/>; rel=canonical")], None),
])  # fmt: skip
def test_the_canonical_address_that_a_page_states(html, headers, canonical):
    assert canonical_link(read_page(f"{html}<p>words").root, headers, url="http://a.example/page") == canonical
