"""Answers that say the same: calendars, soft 404s, session ids. Real pages are never taken for copies."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from crawl_web import Asked, Response, TestWeb, crawl, parcels
from frontier_back_ends import BACK_ENDS, NOW, QUICK, back_end

from crawler.frontier.contract import CLOSED, CLOSES, NEAR_IDENTICAL, QUEUED, CompletedLease, Lease, Offer
from crawler.frontier.traps import template_of
from crawler.links.copies import Copies
from crawler.links.extract import links_of
from crawler.sinks.entry import Entry
from parcels import example_web
from parcels.store import open_store
from parcels.text.dates import MONTHS as MONTH_NAMES
from parcels.urls import canonical, host_of

make = pytest.fixture(params=BACK_ENDS)(back_end)
MONTHS = [next(name for name, number in MONTH_NAMES.items() if number == n + 1).capitalize() for n in range(12)]
NAV = "<ul>" + "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("home", "boats", "shops")) + "</ul>"


def leased(frontier, url, *, links=(), is_copy=True):
    frontier.admit([Offer(url, priority=9.0)], now=NOW)
    (lease,) = frontier.lease(1, now=NOW).leases
    assert lease.url == url
    (receipt,) = frontier.done(
        [CompletedLease(lease, [Offer(link) for link in links], is_copy=is_copy)], segment="s", now=NOW
    )
    return receipt.outcomes


def month(n):
    return f"http://a.example/calendar/{2000 + n // 12}/{n % 12 + 1}"


def test_a_template_is_closed_by_copies_that_lead_nowhere_else(make):
    frontier = make()
    outcomes = [leased(frontier, month(n), links=[month(1000 + n)]) for n in range(QUICK.copies)]
    assert outcomes == [QUEUED] * (QUICK.copies - 1) + [QUEUED + CLOSES]
    assert frontier.admit([Offer(month(500)), Offer("http://a.example/about")], now=NOW) == CLOSED + QUEUED
    assert frontier.admit([Offer(month(1000).replace("a.ex", "b.ex"))], now=NOW) == QUEUED  # another host
    for lease in frontier.lease(99, now=NOW).leases:  # what was queued before
        assert frontier.is_template_closed(lease.url) == lease.url.startswith("http://a.example/calendar/")
    why = frontier.explain(month(500))
    assert (why.state, why.detail.partition(":")[0]) == ("refused", NEAR_IDENTICAL)
    assert frontier.stats().refused[NEAR_IDENTICAL] == 1


def test_a_closed_template_stays_closed_in_the_next_process_and_can_be_followed_on_request(make):
    frontier = make()
    for n in range(QUICK.copies // 2):
        leased(frontier, month(n))
    frontier.close()
    frontier.is_killed = True
    frontier = make()
    for n in range(QUICK.copies // 2, QUICK.copies):
        leased(frontier, month(n))
    assert frontier.admit([Offer(month(500))], now=NOW) == CLOSED
    frontier.close()
    frontier.is_killed = True
    open_policy = QUICK.__class__(delay=0.0, concurrency=8, robots=False, copies=0)
    assert make(open_policy).admit([Offer(month(500))], now=NOW) == QUEUED


@pytest.mark.parametrize("links, is_copy", [(["http://a.example/story-{n}"], True), ([], False)])
def test_a_template_whose_answers_bring_something_stays_open(make, links, is_copy):
    frontier = make()
    for n in range(3 * QUICK.copy_window):
        leased(frontier, month(n), links=[link.format(n="x" * n) for link in links], is_copy=is_copy)
    assert frontier.admit([Offer(month(500))], now=NOW) == QUEUED


def calendar(asked: Asked) -> Response:
    """A month without end: its days are links, and nothing ever happens."""
    *_, year, number = asked.url.split("/")
    n = int(year) * 12 + int(number) - 1
    near = "".join(f'<a href="/calendar/{m // 12}/{m % 12 + 1}">{MONTHS[m % 12]}</a>' for m in (n - 1, n + 1))
    days = "".join(f'<td><a href="/calendar/{year}/{number}/{day}">{day}</a></td>' for day in range(1, 31))
    return Response(
        f"<title>{MONTHS[n % 12]} {year}</title>{NAV}<h1>{MONTHS[n % 12]} {year}</h1>{near}<table>{days}</table>"
    )


def day(asked: Asked) -> Response:
    *_, year, number, n = asked.url.split("/")
    return Response(f"<title>{n} {MONTHS[int(number) - 1]} {year}</title>{NAV}<p>Nothing is planned for this day.")


class TrapWeb(TestWeb):
    """A small real site with a calendar without end, links with session ids, and 200 for whatever is not there."""

    __test__ = False

    def __init__(self):
        words = Path(__file__).read_text().replace("<", " ").split()
        self.stories = {
            f"http://a.example/story-{chr(97 + n)}": f"{NAV}<p>{' '.join(words[n * 60 : n * 60 + 60])}"
            for n in range(20)
        }
        links = "".join(f'<a href="{url}">story</a>' for url in self.stories)
        super().__init__(self.stories | {"http://a.example/robots.txt": Response("", 404)})
        self.home = (
            f'{NAV}{links}<a href="/calendar/2026/11">calendar</a><a href="/old/index">old</a><a href="/visit">v</a>'
        )
        self.visits = 0

    def answer(self, asked: Asked) -> Response:
        path = asked.url.partition("http://a.example")[2]
        if path == "/":
            return Response(self.home)
        if asked.url in self.pages:
            return super().answer(asked)
        if path.startswith("/visit"):
            self.visits += 1
            more = "".join(f'<a href="/visit?PHPSESSID={self.visits}0{n}">on</a>' for n in range(3))
            return Response(f"{NAV}<p>You are our dear visitor.{more}")
        if path.startswith("/calendar/"):
            return (calendar if path.count("/") == 3 else day)(asked)
        return Response(
            f'{NAV}<p>Sorry, there is no {path} here. <a href="older/index">older</a> <a href="near">near</a>'
        )


@pytest.fixture(scope="module")
def trapped(tmp_path_factory):
    store = tmp_path_factory.mktemp("traps") / "store"
    with TrapWeb().serve() as web:
        crawl(web, store, "http://a.example/", "--limit", "150", "--concurrency", "2")
    return store, web


def test_of_a_site_with_a_calendar_and_session_ids_the_site_is_stored(trapped):
    store, web = trapped
    pages = [row["url"] for row in open_store(store).read("pages", columns=["url"]).to_pylist()]
    kinds = [template_of(url).partition("*")[0] for url in pages]
    assert set(web.stories) <= set(pages)
    assert kinds.count("/calendar/") <= 50  # two templates, each until it is closed
    assert sum("/visit" in url for url in web.urls()) == 1
    assert len(web.urls()) < 150


def test_what_was_left_out_is_in_rejects_and_the_frontier_says_why(trapped):
    store, web = trapped
    rows = [row for row in open_store(store).read("rejects").to_pylist() if row["reason"] == NEAR_IDENTICAL]
    records = {row["record"]: row["detail"] for row in rows}
    assert {"http://a.example/calendar/*/*/*", "http://a.example/calendar/*/*"} <= records.keys()
    assert any("near-identical to" in detail for detail in records.values())  # a soft 404
    unasked = next(url for url in records if url.startswith("http://a.example/calendar/2") and url not in web.urls())
    answers = [
        json.loads(parcels("frontier", "why", url, "--store", store, "--format", "json").stdout)
        for url in (unasked, "http://a.example/calendar/2999/1/1")
    ]
    assert [answer["state"] for answer in answers] == ["dead", "refused"]
    assert all(NEAR_IDENTICAL in answer["detail"] for answer in answers)


def test_copies_are_stored_on_request(tmp_path):
    with TrapWeb().serve() as web:
        crawl(web, tmp_path / "store", "http://a.example/", "--limit", "60", "--follow-copies")
    store = open_store(tmp_path / "store")
    assert store.read("pages").num_rows == 60
    assert NEAR_IDENTICAL not in store.read("rejects")["reason"].to_pylist()


def judged(pages):
    """How many answers of pages are copies, and how many repeats."""
    copies = Copies()
    counts = [0, 0]
    for url, html in pages:
        entry = Entry(Lease(0, host_of(url) or "", url, 0, 0, None, None, "p", 0, None, 1, 0), 0.0)
        counts[1] += copies.compare(entry, links_of(html, url)) is not None
        counts[0] += bool(entry.is_copy)
    return counts


def test_no_page_of_the_example_web_is_a_copy():
    urls = [url for host in example_web.hosts() for url in example_web.urls(host)]
    answers = [(url, example_web.fetch(url)) for url in urls]
    assert judged((url, answer.body) for url, answer in answers if answer.status == 200) == [0, 0]


@pytest.mark.corpus
@pytest.mark.parametrize("name, repeats", [("news-pool", 5), ("webkb", 0)])
def test_real_pages_are_no_copies(corpora, name, repeats):
    rows = pq.read_table(corpora / name / "pages.parquet", columns=["url", "html"]).to_pylist()
    pages = {url: row["html"] for row in rows if (url := canonical(row["url"] or ""))}
    copies, repeated = judged(pages.items())
    assert copies == 0
    assert repeated <= repeats  # news-pool has a site that shows one page at five addresses


def test_memory_is_bounded():
    copies = Copies(max_bytes=100_000)
    for n in range(300):
        word = "".join(chr(97 + int(digit)) for digit in str(n))
        html = " ".join(f"{word}{chr(97 + k % 26)}{chr(97 + k // 26)}" for k in range(200)).encode()
        url = f"http://{word}.example/"
        copies.compare(
            Entry(Lease(0, f"{word}.example", url, 0, 0, None, None, "p", 0, None, 1, 0), 0.0), links_of(html, url)
        )
    assert copies._bytes <= 100_000
    assert copies._bytes == sum(said.size for known in copies._hosts.values() for said in known)
