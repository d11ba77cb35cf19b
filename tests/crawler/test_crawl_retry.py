"""A crawl that fails is not the end: what could not be reached is tried again, and storing nothing has a reason."""

import pytest
from crawl_loop import Unreachable, fetch_all, html, links, options, site
from crawl_web import Response, TestWeb, parcels

from crawler.frontier.contract import ROBOTS
from crawler.frontier.queries import explain, rebuild, retry, stats
from crawler.progress import summary
from crawler.run import CrawlRun
from parcels.errors import ConfigError, InputMissing
from parcels.store import open_store

HOME, OTHER = "http://a.example/", "http://b.example/"
PAGES = {HOME: links("/x"), f"{HOME}x": "<p>X", OTHER: "<p>B"}
WEB = site(PAGES)


def no_network(lease):
    raise Unreachable("dns")


def without(host, reason="refused"):
    """The web, but one host does not answer."""

    def answer(lease):
        if lease.host == host:
            raise Unreachable(reason)
        return WEB(lease)

    return answer


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.redis)])
def given(request, tmp_path):
    """Options of one crawl, with either frontier."""
    frontier = None if request.param == "sqlite" else request.getfixturevalue("redis_server").url
    name = tmp_path.name

    def make(*seeds, **fields):
        return options(tmp_path, seeds=seeds, crawl=name, frontier=frontier, **fields)

    return make


def run(chosen, web):
    done = CrawlRun(chosen)
    fetched = fetch_all(done, web)
    return done, fetched


def stored(tmp_path):
    return {row["url"] for row in open_store(tmp_path / "store").read("pages", columns=["url"]).to_pylist()}


def test_a_first_crawl_without_a_network_ends_at_once_says_why_and_the_next_one_succeeds(tmp_path, given):
    done, fetched = run(given(HOME, OTHER, retry_seconds=3600.0), no_network)
    assert {lease.kind for lease in fetched} == {ROBOTS}  # one attempt for each host; nobody waits for an hour
    assert "could not reach a.example (no such name is known), b.example" in done.problem
    assert "run the same command again" in done.problem
    assert done.session.is_offline
    row = open_store(tmp_path / "store").read("runs").to_pylist()[0]
    assert (row["outcome"], row["error"]) == ("failed", done.problem)


def test_the_next_run_succeeds(tmp_path, given):
    run(given(HOME, OTHER), no_network)
    done, _ = run(given(HOME, OTHER), WEB)
    assert done.problem is None
    assert stored(tmp_path) == set(PAGES)


def test_a_host_that_was_given_up_is_tried_again_by_the_next_run(tmp_path, given):
    done, fetched = run(given(HOME, OTHER, retry_seconds=3600.0), without("b.example"))
    assert done.problem is None
    asked = [lease.attempt for lease in fetched if lease.host == "b.example"]
    assert asked == [0, 1]  # robots.txt, then once more when all else is done; then the page is a dead letter
    assert explain(given(), OTHER)["detail"].startswith("robots-unreachable")
    assert stats(given())["dead"] == {"robots-unreachable": 1}
    rejected = open_store(tmp_path / "store").read("rejects").to_pylist()
    assert [(row["record"], row["reason"], row["detail"]) for row in rejected] == [
        (OTHER, "robots-unreachable", "refused")
    ]
    done, fetched = run(given(HOME, OTHER), WEB)
    assert [lease.url for lease in fetched] == [f"{OTHER}robots.txt", OTHER]
    assert stored(tmp_path) == set(PAGES)


def test_a_page_that_could_not_be_reached_is_tried_again_once_by_each_run(tmp_path, given):
    chosen = given(HOME, OTHER, robots=False)
    _, fetched = run(chosen, without("b.example", "timeout"))
    assert [lease.attempt for lease in fetched if lease.host == "b.example"] == [0, 1, 2, 3]
    done, fetched = run(chosen, without("b.example", "timeout"))
    assert [lease.url for lease in fetched] == [OTHER]
    assert done.problem is None  # the crawl has pages, and the rest is as it was
    assert stats(chosen)["dead"] == {"timeout": 1}
    run(chosen, WEB)
    assert stored(tmp_path) == set(PAGES)


def test_a_crawl_that_has_nothing_new_is_no_failure_and_says_so(given):
    run(given(HOME), WEB)
    done, fetched = run(given(HOME), WEB)
    assert (fetched, done.problem) == ([], None)
    lines = summary(done.session.counts, 1.0, crawl="c", run_id="r", saved=0, left=done.session.pending)
    assert "nothing new" in lines[0]
    assert "nothing is left to do" in lines[1]


def test_a_crawl_that_had_pages_and_has_lost_the_network_says_so(given):
    many = {HOME: links(*(f"/{n}" for n in range(200)))} | {f"{HOME}{n}": "<p>x" for n in range(200)}
    run(given(HOME, limit=5), site(many))
    done, fetched = run(given(HOME, retry_seconds=3600.0), no_network)
    assert len(fetched) <= 110  # and not all of the two hundred
    assert "could not reach a.example" in done.problem
    done, _ = run(given(HOME, robots=False), site(many))
    assert done.problem is None


@pytest.mark.parametrize("page, words", [
    (html("", status=404), "http-404 1"),
    (html("<meta name=robots content=noindex>x"), "forbid to store them"),
    (html("%PDF", Content_Type="application/pdf"), "name others"),
])  # fmt: skip
def test_a_first_crawl_that_stores_nothing_says_why(tmp_path, page, words):
    done, _ = run(options(tmp_path, seeds=(HOME,)), site({HOME: page}))
    assert words in done.problem


def test_robots_txt_that_forbids_all_is_a_reason_too(tmp_path):
    rules = html("User-agent: *\nDisallow: /", Content_Type="text/plain")
    done, _ = run(options(tmp_path, seeds=(HOME,)), site({f"{HOME}robots.txt": rules}))
    assert "robots 1. robots.txt forbids" in done.problem


def test_a_failing_robots_txt_is_asked_for_again_before_its_host_is_given_up(tmp_path, given):
    many = {OTHER: links(*(f"/{n}" for n in range(100)))} | {f"{OTHER}{n}": "<p>x" for n in range(100)}
    answers = iter([html("", status=503), html("", status=500), html("", status=404)])

    def web(lease):
        is_robots = lease.kind == ROBOTS and lease.host == "a.example"
        return next(answers) if is_robots else site(PAGES | many)(lease)

    run(given(HOME, OTHER, retry_seconds=0.001), web)
    assert stored(tmp_path) == {HOME, f"{HOME}x", *many}


def test_nobody_waits_for_a_robots_txt_alone(given):
    def web(lease):
        return html("", status=502) if lease.host == "b.example" else WEB(lease)

    done, fetched = run(given(HOME, OTHER, retry_seconds=3600.0), web)
    assert [lease.attempt for lease in fetched if lease.host == "b.example"] == [0, 1]
    assert stats(given())["dead"] == {"robots-unreachable": 1}
    asks_for_peace = html("", status=503, Retry_After="3000")
    done, fetched = run(given("http://c.example/"), lambda lease: asks_for_peace)
    assert [lease.host for lease in fetched].count("c.example") == 1
    assert done.session.pending == 0


def test_frontier_retry_queues_what_is_dead(tmp_path, given):
    gone = {HOME: links("/gone", "/broken"), f"{HOME}broken": html("", status=500)}
    run(given(HOME, OTHER), site(gone | {OTHER: "<p>B"}))
    assert retry(given(), "http-500") == {"queued": 1, "dead": {"http-404": 1}}
    assert retry(given(), "b.example") == {"queued": 0, "dead": {"http-404": 1}}
    assert retry(given(), "a.example") == {"queued": 1, "dead": {}}
    run(given(HOME), site(gone))
    assert retry(given(), None) == {"queued": 0, "dead": {"http-404": 1, "http-500": 1}}
    assert retry(given(), "all") == {"queued": 2, "dead": {}}
    assert retry(given(), "http-500") == {"queued": 0, "dead": {}}
    with pytest.raises(ConfigError, match="give a host"):
        retry(given(), HOME)
    fixed = gone | {f"{HOME}gone": "<p>here", f"{HOME}broken": "<p>well"}
    run(given(HOME), site(fixed))
    assert stored(tmp_path) == {HOME, OTHER, f"{HOME}gone", f"{HOME}broken"}


def test_frontier_retry_without_a_frontier_says_so(tmp_path):
    open_store(tmp_path / "store", create=True)
    with pytest.raises(InputMissing, match="There is no frontier"):
        retry(options(tmp_path), "all")


def test_what_was_forgotten_is_not_queued_again(tmp_path):
    from crawler.frontier.blocklist import add_to_blocklist, block_everywhere

    chosen = options(tmp_path, seeds=(HOME, OTHER), robots=False)
    run(chosen, no_network)
    for _ in range(3):
        run(chosen, without("b.example"))
    store = open_store(tmp_path / "store")
    add_to_blocklist(store, [OTHER], [])
    assert len(list(block_everywhere(store))) == 1
    assert retry(chosen, "all")["queued"] == 0


def test_a_rebuilt_frontier_queues_what_could_not_be_reached(tmp_path):
    chosen = options(tmp_path, seeds=(HOME, OTHER))
    run(chosen, without("b.example"))
    (tmp_path / "store" / "_crawl" / "crawl" / "frontier.sqlite").unlink()
    assert rebuild(options(tmp_path)) == {"known": 2, "queued": 1}
    assert explain(chosen, OTHER)["state"] == "queued"


# -- by the command line ----------------------------------------------------------------------------------------------


def test_the_command_fails_without_a_network_and_succeeds_with_one(tmp_path):
    web = TestWeb({HOME: "<p>A page."})
    words = ("crawl", HOME, "--store", tmp_path / "s", "--no-progress", "--delay", "0", "--proxy")
    failed = parcels(*words, "http://127.0.0.1:1", code=3)
    assert "no page was stored: could not reach a.example (the connection was refused)" in failed.stderr
    assert "http://127.0.0.1:1" in failed.stderr
    assert "Traceback" not in failed.stderr
    with web.serve():
        assert "crawled 1 pages" in parcels(*words, web.proxy).stdout
        assert "nothing is left to do" in parcels(*words, web.proxy).stdout


def test_a_private_address_is_refused_with_its_flag_named_and_fetched_when_it_is_given(tmp_path):
    web = TestWeb({})
    with web.serve():
        address = web.proxy + "/"
        web.pages = {address: "<p>A page.", f"{address}robots.txt": Response("User-agent: *\nDisallow: /x", headers=())}
        words = ("crawl", address, f"{address}x", "--store", tmp_path / "s", "--no-progress", "--delay", "0")
        refused = parcels(*words, code=3)
        assert "private-address 2" in refused.stderr
        assert "--allow-private" in refused.stderr
        assert web.asked == []
        parcels(*words, "--allow-private")
    assert [one.url for one in web.asked] == [f"{address}robots.txt", address]  # the rules are asked for, and obeyed
    rows = open_store(tmp_path / "s").read("rejects").to_pylist()
    assert sorted(row["reason"] for row in rows) == ["private-address", "private-address", "robots"]
