"""kill -9 of a focused crawl: the same command goes on with what was learned before."""

import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from topic_pages import three_universities, university

from crawler.frontier.sqlite.file import open_read_only
from crawler.links.learning import STATE_NAME
from crawler.options import CrawlOptions
from parcels.store import open_store
from parcels.topics.focus import RESCORE_PAGES
from parcels.topics.model import open_topic_model
from parcels.topics.train import train_topics

KILL_AT = RESCORE_PAGES + 15  # requests: what was learned was kept when the queue was put in order
MORE = 10  # pages after the kill: fewer than bring the queue into order again
SECONDS = 300


class Site(ThreadingHTTPServer):
    """A university on loopback that holds back its answer to one request until it is told to go on."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.host = f"127.0.0.1:{self.server_address[1]}"
        self.pages = {urlsplit(url).path: html for url, (html, _) in university(self.host, seed=9).items()}
        self.asked, self.is_held, self.goes_on = 0, threading.Event(), threading.Event()


class Answering(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self):
        self.server.asked += 1
        if self.server.asked == KILL_AT:
            self.server.is_held.set()
            self.server.goes_on.wait(SECONDS)
        html = self.server.pages.get(self.path)
        try:
            self.send_response(200 if html else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((html or "").encode())
        except OSError:
            self.close_connection = True  # who had asked is dead

    def log_message(self, *words):
        pass


@pytest.fixture
def site():
    server = Site()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.goes_on.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("killed")
    train_topics(three_universities(folder / "data")).save(folder / "topics")
    return folder / "topics"


def command(site, model, store, *more):
    return [
        sys.executable, "-m", "parcels.cli", "crawl", f"http://{site.host}/", "--store", str(store), "--no-progress",
        "--spider", "focused", "--focus", f"{model}:student", "--allow-private", "--no-robots", "--no-css",
        "--delay", "0", "--requests", "1", "--per-address", "0", *more,
    ]  # fmt: skip


def kept(store):
    """Return the stored state of the focus from the frontier's file, or None."""
    options = CrawlOptions(store=str(store))
    where = options.frontier_at(options.folder(open_store(str(store)))).removeprefix("sqlite:")
    db = open_read_only(Path(where))
    row = db.execute("SELECT data FROM kept WHERE name = ?", (STATE_NAME,)).fetchone()
    db.close()
    return row and row[0]


def durable(model, store):
    """The focus as the frontier's file has it."""
    focus = open_topic_model(model).focus("student")
    focus.restore(kept(store))
    return focus


def pages_known(model, store):
    return len(durable(model, store).outcomes) if kept(store) else 0


def test_a_crawl_that_was_killed_goes_on_with_what_it_had_learned(site, model, tmp_path):
    store = tmp_path / "store"
    process = subprocess.Popen(command(site, model, store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert site.is_held.wait(SECONDS)
        ends = time.monotonic() + SECONDS  # on a busy machine the queue is put in order, and that kept, some time later
        while pages_known(model, store) < RESCORE_PAGES and time.monotonic() < ends:
            time.sleep(0.1)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    before = durable(model, store)
    site.goes_on.set()
    assert len(before.outcomes) >= RESCORE_PAGES
    subprocess.run(command(site, model, store, "--limit", str(MORE)), check=True, timeout=SECONDS, capture_output=True)
    after = durable(model, store)
    assert after.outcomes[: len(before.outcomes)] == before.outcomes
    assert len(after.outcomes) == len(before.outcomes) + MORE
    assert after.tallies.pages >= before.tallies.pages + MORE - 1
    learned = after.links.weights()[3] - before.links.weights()[3]
    assert learned.min() >= 0  # squares only grow: every step of before is still in them
    assert learned.max() > 0
