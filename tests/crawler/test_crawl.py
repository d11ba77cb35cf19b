"""Crawls by the command line: real processes, a real server on loopback."""

import json
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.speed.crawl_site import MadeWeb
from parcels import example_web
from parcels.store import open_store

ROOT = Path(__file__).parents[2]
HOSTS = example_web.hosts()
SECONDS = 240  # a loaded machine takes its time


def parcels(*words, code=0):
    done = command(*words)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def command(*words):
    line = [sys.executable, "-m", "parcels.cli", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=False)


def crawl(store, web, *words, delay="0", code=0):
    quick = ("--delay", delay, "--no-progress", "--proxy", web.proxy)
    return parcels("crawl", *words, "--store", store, *quick, code=code)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The example web, crawled once, stopped once in between."""
    store = tmp_path_factory.mktemp("crawl") / "store"
    seeds = [f"http://{host}/" for host in HOSTS]
    with example_web.ExampleWeb.serve() as web:
        first = crawl(store, web, *seeds, "--concurrency", "4", "--limit", "60")
        second = crawl(store, web, *seeds, "--concurrency", "4")
    return open_store(store), web, first, second


def test_every_page_that_may_be_stored_is_stored_with_its_bytes(crawled):
    store, *_ = crawled
    rejected = {row["record"]: row["reason"] for row in store.read("rejects").to_pylist()}
    pages = {row["url"]: row for row in store.read("pages", columns=["url", "html", "status"]).to_pylist()}
    for host in HOSTS:
        for url in example_web.urls(host):
            if url in pages:
                assert pages[url]["html"] == example_web.fetch(url).body or pages[url]["status"] != 200
            else:
                assert rejected[url] in ("noindex", "not-canonical"), url
        assert set(example_web.article_urls(host)) <= set(pages)


def test_nothing_is_asked_for_twice_and_nothing_that_is_forbidden(crawled):
    _, web, *_ = crawled
    asked = [(one.host, one.path) for one in web.requests if one.host in HOSTS]  # no other host is there
    assert len(asked) == len(set(asked))
    forbidden = {url for host in HOSTS for url in example_web.forbidden_urls(host)}
    assert not forbidden & {f"http://{host}{path}" for host, path in asked}


def test_robots_txt_is_the_first_that_a_host_is_asked_for(crawled):
    _, web, *_ = crawled
    for host in HOSTS:
        assert next(one.path for one in web.requests if one.host == host) == "/robots.txt"


def test_the_sheets_are_there_and_the_pages_name_them(crawled):
    store, *_ = crawled
    sheets = {row["url"]: row["content_hash"] for row in store.read("resources").to_pylist()}
    named = [sheet for row in store.read("pages", columns=["sheets"]).to_pylist() for sheet in row["sheets"] or ()]
    assert named
    assert all(sheets[sheet["path"]] == sheet["content_hash"] for sheet in named if sheet["content_hash"])
    assert sum(sheet["content_hash"] is not None for sheet in named) > len(named) / 2


def test_the_crawl_says_what_it_did_and_that_more_is_left(crawled):
    store, _, first, second = crawled
    assert "crawled 60 pages" in first
    assert "run the same command again to continue" in first
    assert "noindex" in second
    assert "are left" not in second
    runs = store.read("runs").to_pylist()
    assert [run["outcome"] for run in runs] == ["done", "done"]
    assert json.loads(runs[0]["settings"])["spider"] == "news"


def test_the_frontier_answers_why(crawled):
    store = crawled[0].location.root
    answer = json.loads(
        parcels("frontier", "why", "http://lumen.example/account", "--store", store, "--format", "json")
    )
    assert (answer["state"], answer["detail"].partition(";")[0]) == ("dead", "robots")
    assert json.loads(parcels("frontier", "stats", "--store", store, "--format", "json"))["queued"] == 0
    assert "never offered" in parcels("frontier", "why", "http://lumen.example/nowhere", "--store", store)
    assert "'x' is not a web address" in command("frontier", "why", "x", "--store", store).stderr


def test_ctrl_c_ends_a_crawl_in_good_order(tmp_path):
    web = MadeWeb({"a.example": 500}, seconds={"a.example": 0.02})
    with web.serve():
        words = ["crawl", "http://a.example/", "--store", str(tmp_path / "s"), "--delay", "0", "--proxy", web.proxy]
        process = subprocess.Popen(
            [sys.executable, "-m", "parcels.cli", *words, "--no-progress"], stdout=subprocess.PIPE, cwd=ROOT, text=True
        )
        wait_for(lambda: len(web.asked) > 20)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "run the same command again to continue" in said
    store = open_store(tmp_path / "s")
    assert store.read("pages").num_rows == len(web.fetched())
    assert store.read("runs").to_pylist()[0]["outcome"] == "stopped"


def test_private_addresses_are_refused_unless_allowed(tmp_path):
    web = MadeWeb({})
    with web.serve():
        words = ("crawl", f"{web.proxy}/", "--delay", "0", "--no-progress", "--no-robots")
        parcels(*words, "--store", tmp_path / "s", code=3)
        assert not web.asked
        parcels(*words, "--store", tmp_path / "t", "--allow-private", code=3)  # asked for, and not there
    assert open_store(tmp_path / "s").read("rejects").to_pylist()[0]["reason"] == "private-address"
    assert len(web.asked) == 1


def test_scrapy_crawl_works_too(tmp_path):
    web = MadeWeb({"a.example": 12})
    with web.serve():
        line = ["scrapy", "crawl", "news", "-a", "seeds=http://a.example/"]
        for setting in (f"STORE={tmp_path / 's'}", f"PROXY={web.proxy}", "DELAY=0"):
            line += ["-s", setting]
        done = subprocess.run(
            [sys.executable, "-m", *line], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    assert done.returncode == 0, done.stderr
    assert open_store(tmp_path / "s").read("pages").num_rows == 12, done.stderr


def test_mistakes_are_told_in_one_line(tmp_path):
    done = command("crawl", "no such file", "--store", tmp_path / "s")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    done = command("crawl", "http://a.example/", "--store", tmp_path / "s", "--frontier", "mysql:x")
    assert "'mysql:x' is not a frontier" in done.stderr


@pytest.mark.redis
def test_politeness_holds_across_processes(tmp_path, redis_server):
    delay = 0.4
    web = MadeWeb({f"h{n}.example": 6 for n in range(3)})
    with web.serve():
        seeds = [f"http://{host}/" for host in web.pages]
        words = [
            "crawl", *seeds, "--store", str(tmp_path / "s"), "--proxy", web.proxy, "--delay", str(delay),
            "--no-progress", "--crawl", f"polite{os.getpid()}", "--frontier", redis_server.url,
        ]  # fmt: skip
        line = [sys.executable, "-m", "parcels.cli", *words]
        processes = [subprocess.Popen(line, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(2)]
        assert [process.wait(SECONDS) for process in processes] == [0, 0]
    for host in web.pages:
        times = [one.at for one in web.asked if one.host == host]
        assert min(two - one for one, two in pairwise(times)) >= 0.9 * delay
        assert len(times) == 7  # robots.txt and six pages, each once
    assert open_store(tmp_path / "s").read("pages").num_rows == 18


def wait_for(is_true):
    ends = time.monotonic() + SECONDS
    while not is_true() and time.monotonic() < ends:
        time.sleep(0.01)
