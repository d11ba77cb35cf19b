"""Pages that are empty without scripts: told from others, and filled by a real Chromium."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse, Request

from crawler.fetch.browser import Browser
from crawler.fetch.render import FLAG, TRIES, Hosts, RenderMiddleware, empty_reason
from parcels.errors import SkipRecord
from parcels.html.page import read_page

ROOT = Path(__file__).parents[2]
WORDS = "The ferry between the two towns runs again after three weeks. "
APP = b"""<!doctype html><title>App</title><noscript>You need to enable JavaScript to run this app.</noscript>
<div id="root"></div><script src="/app.js"></script>"""
SCRIPT = b"""fetch("/data.json").then(r => r.json()).then(d => {
  const p = document.createElement("p"); p.textContent = d.words; document.getElementById("root").append(p); });
fetch("http://127.0.0.1:PORT/secret"); fetch("/form", {method: "POST"});
const i = new Image(); i.src = "/picture.png"; document.body.append(i);"""
EMPTY_APP = b'<!doctype html><title>Nothing</title><div id="app"></div><script>1</script>'


@pytest.mark.parametrize("html, reason", [
    (APP.decode(), "asks-for-scripts"),
    ('<div id="__next"> </div><script src=x></script>Loading', "empty-root"),
    ("<script src=x></script><p>Loading…", "no-text"),
    ("<p>A short page without scripts.", None),
    (f"<div id=root></div><p>{WORDS * 5}</p><script src=x></script>", None),
    (f"<noscript>Please enable JavaScript</noscript><p>{WORDS * 5}<script>x</script>", None),
    (f"<p>{WORDS * 2}</p><script>x</script>", None),
])  # fmt: skip
def test_a_page_that_waits_for_its_scripts_is_told_from_others(html, reason):
    assert empty_reason(read_page(html)) == reason


def test_a_host_that_rendering_does_not_help_is_left_alone():
    hosts = Hosts()
    host = hosts.of("a.example")
    host.rendered = TRIES - 1
    assert host.is_worth_it
    host.rendered = TRIES
    assert not hosts.of("a.example").is_worth_it
    host.filled = 1
    assert host.is_worth_it
    assert hosts.of("b.example").is_worth_it


class Fixed(Browser):
    """Gives what it is told, to see what the middleware makes of it."""

    def __init__(self, html: str | SkipRecord):
        super().__init__()
        self.given, self.asked = html, 0

    async def html(self, url: str) -> tuple[str, str]:
        self.asked += 1
        if isinstance(self.given, SkipRecord):
            raise self.given
        return url, self.given


def through(middleware: RenderMiddleware, body: bytes, status: int = 200) -> HtmlResponse:
    request = Request("http://a.example/")
    response = HtmlResponse(request.url, status=status, body=body, headers={"Content-Type": "text/html"})
    return asyncio.run(middleware.process_response(request, response))


def test_only_empty_pages_are_rendered():
    browser = Fixed(f"<p>{WORDS * 10}")
    middleware = RenderMiddleware(browser)
    full = f"<p>{WORDS * 10}".encode()
    assert through(middleware, full).body == full
    assert through(middleware, APP, 404).body == APP
    assert browser.asked == 0
    filled = through(middleware, APP)
    assert (filled.flags, filled.text) == ([FLAG, "asks-for-scripts"], browser.given)


def test_a_page_that_cannot_be_rendered_stays_as_it_was():
    for given, flag in ((SkipRecord("render-time-out"), "render-time-out"), ("<p>", "render-in-vain")):
        browser = Fixed(given)
        middleware = RenderMiddleware(browser)
        for _ in range(TRIES + 3):
            response = through(middleware, APP)
            assert response.body == APP
        assert browser.asked == TRIES
        assert through(RenderMiddleware(Fixed(given)), APP).flags == [flag]


@contextmanager
def app() -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []
    pages = {"/": ("text/html", APP), "/empty": ("text/html", EMPTY_APP),
             "/data.json": ("application/json", json.dumps({"words": WORDS * 5}).encode())}  # fmt: skip

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = "/" + self.path.partition("://")[2].partition("/")[2] if "://" in self.path else self.path
            asked.append(path)
            kind, body = pages.get(path, ("text/plain", b"?"))
            if path == "/app.js":
                kind, body = "text/javascript", SCRIPT.replace(b"PORT", str(self.server.server_address[1]).encode())
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.server_address[1], asked
        finally:
            server.shutdown()
            thread.join()


def rendered(url: str, **options: object) -> tuple[str, str]:
    async def run() -> tuple[str, str]:
        browser = Browser(seconds=60.0, **options)
        try:
            return await browser.html(url)
        finally:
            await browser.close()

    return asyncio.run(run())


@pytest.mark.chromium
def test_chromium_fills_an_empty_page_and_loads_nothing_private_and_no_pictures(chromium_path):
    with app() as (port, asked):
        proxy = f"http://127.0.0.1:{port}"
        _, html = rendered("http://app.example/", program=chromium_path, proxy=proxy)
        assert WORDS.strip() in html
        assert {"/", "/app.js", "/data.json"} <= set(asked)
        assert not {"/secret", "/picture.png", "/form"} & set(asked)


@pytest.mark.chromium
def test_chromium_does_not_open_a_private_address(chromium_path):
    with app() as (port, asked):
        with pytest.raises(SkipRecord, match="render-failed"):
            rendered(f"http://127.0.0.1:{port}/", program=chromium_path)
        assert asked == []


@pytest.mark.chromium
def test_scrapy_gets_the_filled_page(chromium_path):
    order = {
        "settings": {
            "RENDER": "auto", "ALLOW_PRIVATE": True,
            "DOWNLOADER_MIDDLEWARES": {
                "crawler.fetch.render.RenderMiddleware": 585, "crawler.fetch.safety.SafetyMiddleware": 820
            },
        },
    }  # fmt: skip
    with app() as (port, _):
        order["urls"] = [f"http://127.0.0.1:{port}/", f"http://127.0.0.1:{port}/empty"]
        done = subprocess.run(
            [sys.executable, str(ROOT / "tests" / "scrapy_once.py")], input=json.dumps(order), capture_output=True,
            text=True, timeout=120, check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    told = {line["asked"].rpartition("/")[2]: line for line in map(json.loads, done.stdout.splitlines())}
    assert WORDS.strip() in told[""]["body"]
    assert FLAG in told[""]["flags"]
    assert told["empty"]["flags"] == ["render-in-vain"]
