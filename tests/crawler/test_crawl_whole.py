"""Crawls from end to end: the command line, a real server, and what is in the tables afterwards."""

import gzip
import json
import resource
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.request
from itertools import pairwise

import pytest
from crawl_web import ROOT, SECONDS, Response, TestWeb, crawl, line, parcels

from benchmarks.speed.crawl_redis import RedisServer
from benchmarks.speed.crawl_site import MadeWeb
from parcels.store import open_store

HOME = "http://a.example/"
WORDS = "The ferry between the two towns runs again after three weeks. "


def links(*targets):
    return f"<p>{WORDS}</p>" + "".join(f'<a href="{target}">to {target}</a> ' for target in targets)


def pages(store, *columns):
    return {row["url"]: row for row in open_store(store).read("pages", columns=["url", *columns]).to_pylist()}


def rejects(store):
    return {row["record"]: row["reason"] for row in open_store(store).read("rejects").to_pylist()}


# -- revisits ---------------------------------------------------------------------------------------------------------


def conditional(asked):
    """A page with an ETag that never changes."""
    if asked.headers.get("If-None-Match") == '"one"':
        return Response(status=304, headers=(("ETag", '"one"'),))
    return Response(f"<p>{WORDS}</p>", headers=(("ETag", '"one"'),))


def test_pages_are_visited_again_and_what_has_not_changed_is_stored_once(tmp_path):
    web = TestWeb({
        HOME: links("/news", "/same", "/tagged"), f"{HOME}news": "<p>First news.", f"{HOME}same": f"<p>{WORDS}",
        f"{HOME}tagged": conditional,
    })  # fmt: skip
    with web.serve():
        crawl(web, tmp_path / "s", HOME, "--revisit")
        crawl(web, tmp_path / "s", HOME, "--revisit")
        assert len(web.urls()) == 4  # nothing is due yet
        let_time_pass(tmp_path / "s", days=3)
        web.pages[f"{HOME}news"] = "<p>Second news."
        crawl(web, tmp_path / "s", HOME, "--revisit")
    rows = open_store(tmp_path / "s").read("pages").to_pylist()
    visits = {(row["url"], row["visit"]): row for row in rows}
    assert len(visits) == len(rows) == 8
    assert len({row["page_id"] for row in rows}) == 8
    bodies = {path: visits[HOME + path, 2]["html"] for path in ("news", "same", "tagged")}
    assert bodies == {"news": b"<p>Second news.", "same": b"", "tagged": b""}
    assert [visits[HOME + path, 2]["status"] for path in ("news", "same", "tagged")] == [200, 200, 304]
    for path in ("same", "tagged"):
        assert visits[HOME + path, 2]["content_hash"] == visits[HOME + path, 1]["content_hash"]
    due = dues(tmp_path / "s")
    assert due[f"{HOME}news"] < due[f"{HOME}same"]  # what changes is visited sooner


def frontier(store):
    return sqlite3.connect(store / "_crawl" / "crawl" / "frontier.sqlite")


def let_time_pass(store, *, days):
    with frontier(store) as db:
        for url, extra in db.execute("SELECT url, extra FROM urls WHERE state = 4").fetchall():
            notes = json.loads(extra)
            notes["history"] = [[at - days * 86400, seen] for at, seen in notes["history"]]
            db.execute("UPDATE urls SET due = due - ?, extra = ? WHERE url = ?", (days * 86400, json.dumps(notes), url))
    db.close()


def dues(store):
    db = frontier(store)
    found = dict(db.execute("SELECT url, due FROM urls WHERE state = 4").fetchall())
    db.close()
    return found


# -- rendering --------------------------------------------------------------------------------------------------------

APP = """<!doctype html><title>App</title><noscript>You need to enable JavaScript to run this app.</noscript>
<div id="root"></div><script>
const root = document.getElementById("root");
root.innerHTML = "<p>" + "Words that only a script writes. ".repeat(12) + "</p><a href='/next'>next</a>";
</script>"""


@pytest.mark.chromium
def test_a_page_that_is_empty_without_scripts_is_rendered(tmp_path):
    web = TestWeb({HOME: APP, f"{HOME}next": f"<p>{WORDS * 5}"})
    with web.serve():
        crawl(web, tmp_path / "off", HOME)
        crawl(web, tmp_path / "auto", HOME, "--render", "auto")
    assert b"only a script writes. Words" not in pages(tmp_path / "off", "html")[HOME]["html"]
    assert set(pages(tmp_path / "off")) == {HOME}
    rendered = pages(tmp_path / "auto", "html", "headers")
    assert {"name": "X-Parcels-Rendered", "value": "rendered asks-for-scripts"} in rendered[HOME]["headers"]
    assert "X-Parcels-Rendered" not in {header["name"] for header in rendered[f"{HOME}next"]["headers"]}
    assert b"only a script writes. Words" in rendered[HOME]["html"]
    assert rendered[f"{HOME}next"]["html"] == f"<p>{WORDS * 5}".encode()  # its link was found, it stands by itself


# -- metrics ----------------------------------------------------------------------------------------------------------


def test_metrics_can_be_scraped_while_it_crawls(tmp_path):
    web = MadeWeb({"a.example": 400}, seconds={"a.example": 0.05})
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ("--store", tmp_path / "s", "--delay", "0", "--no-progress", "--no-robots", "--metrics", port)
    with web.serve():
        process = subprocess.Popen(line("crawl", HOME, *words, "--proxy", web.proxy), cwd=ROOT)
        try:
            wait_for(lambda: len(web.asked) > 10)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SECONDS) as answer:
                told = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if line[:1] != "#")
        finally:
            process.terminate()
            process.wait(SECONDS)
    assert float(told['parcels_crawl_total{what="pages"}']) > 0
    assert float(told["parcels_crawl_pending"]) > 10
    assert float(told["parcels_crawl_hosts"]) == 1


# -- WARC -------------------------------------------------------------------------------------------------------------


def test_warc_files_hold_the_same_pages(tmp_path):
    web = TestWeb({HOME: links("/b", "/gone"), f"{HOME}b": "<p>Grüße, €"})
    with web.serve():
        crawl(web, tmp_path / "s", HOME, "--warc")
    (file,) = (tmp_path / "s" / "_warc" / "crawl").glob("*.warc.gz")
    assert gzip.decompress(file.read_bytes()).startswith(b"WARC/1.1\r\n")
    parcels("import", "warc", file, "--store", tmp_path / "t")
    stored, imported = pages(tmp_path / "s", "html", "status"), pages(tmp_path / "t", "html", "status")
    assert stored == imported
    assert stored[f"{HOME}b"]["html"] == "<p>Grüße, €".encode()


# -- what a site asks for ---------------------------------------------------------------------------------------------


def test_x_robots_tag_is_obeyed_and_recorded(tmp_path):
    def tagged(text, *values):
        return Response(text, headers=tuple(("X-Robots-Tag", value) for value in values))

    web = TestWeb({
        HOME: links("/hidden", "/dead-end", "/others"),
        f"{HOME}hidden": tagged(links("/behind"), "noindex"),
        f"{HOME}dead-end": tagged(links("/never"), "parcels: nofollow"),
        f"{HOME}others": tagged(f"<p>{WORDS}", "otherbot: noindex, nofollow"),
        f"{HOME}behind": f"<p>{WORDS}", f"{HOME}never": f"<p>{WORDS}",
    })  # fmt: skip
    with web.serve():
        crawl(web, tmp_path / "s", HOME)
    assert set(pages(tmp_path / "s")) == {HOME, f"{HOME}dead-end", f"{HOME}others", f"{HOME}behind"}
    assert rejects(tmp_path / "s") == {f"{HOME}hidden": "noindex"}
    assert f"{HOME}never" not in web.urls()
    link = [row for row in open_store(tmp_path / "s").read("links").to_pylist() if row["target"] == f"{HOME}never"]
    assert [row["is_queued"] for row in link] == [False]  # recorded, not followed


def test_redirects_in_a_circle_end(tmp_path):
    def to(path):
        return Response(status=302, headers=(("Location", path),))

    web = TestWeb({
        HOME: links("/one", "/self", "/far"), f"{HOME}one": to("/two"), f"{HOME}two": to("/one"),
        f"{HOME}self": to("/self"), f"{HOME}far": to("http://10.0.0.7/secret"),
    })  # fmt: skip
    with web.serve():
        crawl(web, tmp_path / "s", HOME)
    found = pages(tmp_path / "s", "status", "final_url")
    assert (found[f"{HOME}one"]["status"], found[f"{HOME}one"]["final_url"]) == (302, f"{HOME}two")
    assert (found[f"{HOME}two"]["status"], found[f"{HOME}two"]["final_url"]) == (302, f"{HOME}one")
    assert rejects(tmp_path / "s") == {f"{HOME}self": "redirect-loop", "http://10.0.0.7/secret": "private-address"}
    assert sorted(web.urls()) == sorted(f"{HOME}{path}" for path in ("", "one", "two", "self", "far"))  # each once


def test_of_two_pages_that_name_each_other_canonical_one_is_stored(tmp_path):
    web = TestWeb({
        HOME: links("/x", "/y"), f"{HOME}x": f'<link rel=canonical href="/y"><p>X {WORDS}',
        f"{HOME}y": f'<link rel=canonical href="/x"><p>Y {WORDS}',
    })  # fmt: skip
    with web.serve():
        crawl(web, tmp_path / "s", HOME)
    assert len(web.urls()) == 3
    stored = set(pages(tmp_path / "s")) - {HOME}
    assert stored
    assert stored <= {f"{HOME}x", f"{HOME}y"}


# -- when something goes away -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("long, limit, told", [
    (200, 3_000_000, "no room left"),  # the spool reaches the limit first
    (1, 400_000, "disk I/O error"),  # the frontier does
], ids=["spool", "frontier"])  # fmt: skip
def test_a_full_disk_ends_the_crawl_in_one_line_and_loses_nothing(tmp_path, long, limit, told):
    web = MadeWeb({"a.example": 300}, words=long)
    words = ("crawl", HOME, "--store", tmp_path / "s", "--delay", "0", "--no-progress", "--concurrency", "8")
    with web.serve():  # a limit on the bytes of a file is as a disk that is full
        done = parcels(*words, "--proxy", web.proxy, code=3, preexec_fn=lambda: small_files(limit))
        assert told in done.stderr
        assert "Traceback" not in done.stderr
        fetched = len(web.fetched())
        assert fetched < 300
        parcels(*words, "--proxy", web.proxy)
    rows = open_store(tmp_path / "s").read("pages", columns=["url"]).to_pylist()
    assert len(rows) == len({row["url"] for row in rows}) == 300
    assert sum(web.fetched().values()) <= 300 + 16 + 1  # what was on its way


@pytest.mark.parametrize("is_moved", [True, False], ids=["moved", "removed"])
def test_a_store_that_goes_away_stops_the_crawl_and_the_message_is_true(tmp_path, is_moved):
    web = MadeWeb({"a.example": 500}, seconds={"a.example": 0.02})
    store = tmp_path / "s"
    words = ("crawl", HOME, "--store", store, "--delay", "0", "--no-progress")
    with web.serve():
        process = subprocess.Popen(line(*words, "--proxy", web.proxy), cwd=ROOT, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: len(web.asked) > 20)
        store.rename(tmp_path / "elsewhere")
        asked = len(web.asked)
        if not is_moved:
            shutil.rmtree(tmp_path / "elsewhere")
        _, said = process.communicate(timeout=SECONDS)
        assert process.returncode == 3
        assert len(web.asked) <= asked + 50  # what was on its way
        assert f"the store {store} was removed or moved" in said
        assert "lost" not in said
        assert "Traceback" not in said
        assert not store.exists()  # nothing is made that looks like a store
        if is_moved:
            (tmp_path / "elsewhere").rename(store)
        parcels(*words, "--proxy", web.proxy)
    rows = open_store(store).read("pages", columns=["url"]).to_pylist()
    assert len(rows) == len({row["url"] for row in rows}) == 500
    if is_moved:
        assert sum(web.fetched().values()) <= 500 + 50


def small_files(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


@pytest.mark.redis
def test_a_redis_that_is_away_for_two_seconds_costs_nothing(tmp_path):
    web = MadeWeb({"a.example": 400})
    server = RedisServer(tmp_path / "redis")
    words = ("crawl", HOME, "--store", tmp_path / "s", "--delay", "0", "--no-progress", "--frontier", server.url)
    try:
        with web.serve():
            process = subprocess.Popen(line(*words, "--proxy", web.proxy), cwd=ROOT, stdout=subprocess.PIPE, text=True)
            wait_for(lambda: len(web.asked) > 100)
            server.restart(away_seconds=2.0)
            assert process.poll() is None
            said, _ = process.communicate(timeout=SECONDS)
    finally:
        server.stop()
    assert process.returncode == 0
    assert "400 pages" in said
    rows = open_store(tmp_path / "s").read("pages", columns=["url"]).to_pylist()
    assert len(rows) == len({row["url"] for row in rows}) == 400
    assert set(web.fetched().values()) == {1}


@pytest.mark.redis
def test_two_hosts_of_one_machine_are_asked_like_one_by_all_processes(tmp_path, redis_server):
    delay = 0.3
    web = TestWeb({})
    with web.serve():
        port = web.proxy.rpartition(":")[2]
        hosts = [f"http://localhost:{port}/", f"http://127.0.0.1:{port}/"]
        for host in hosts:
            web.pages |= {host: links(*range(6))} | {f"{host}{n}": f"<p>{own_words(n)}" for n in range(6)}
        words = (
            "crawl", *hosts, "--store", tmp_path / "s", "--delay", delay, "--no-progress", "--allow-private",
            "--per-address", "1", "--frontier", redis_server.url, "--crawl", f"shared{port}",
        )  # fmt: skip
        processes = [subprocess.Popen(line(*words), cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [process.wait(SECONDS) for process in processes] == [0, 0]
    assert set(pages(tmp_path / "s")) == set(web.pages)
    times = [one.at for one in web.asked]
    assert len(times) == 16  # two robots.txt, fourteen pages
    assert min(two - one for one, two in pairwise(times)) >= 0.9 * delay


def own_words(n):
    """Return a text that no other page has: a crawl leaves out the fifth answer of a host that repeats the others."""
    return " ".join(f"{word}-{n}" for word in WORDS.split())


def wait_for(is_true):
    ends = time.monotonic() + SECONDS
    while not is_true() and time.monotonic() < ends:
        time.sleep(0.01)
