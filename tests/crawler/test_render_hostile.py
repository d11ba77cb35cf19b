"""Hostile pages in a real Chromium: bounded in time, nothing local or private is opened, and the next page works."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from crawler.fetch.browser import Browser
from parcels.errors import SkipRecord

pytestmark = pytest.mark.chromium
SECONDS = 8.0  # that a page may take here
SLACK = 40.0  # for a loaded machine to end what was begun
SECRET = "a secret of this machine"
GOOD = "<p id=good>A page as it should be.</p>"
PAGES = {
    "good": GOOD,
    "loop": "<p>before</p><script>while (true) {}</script>",
    "late-loop": "<p>x</p><script>setTimeout(() => { while (true) {} }, 50)</script>",
    "alerts": "<script>for (let i = 0; i < 50; i++) { alert(i); confirm(i); prompt(i) }</script>" + GOOD,
    "leaving": "<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>" + GOOD,
    "windows": "<script>for (let i = 0; i < 200; i++) window.open('/good?' + i)</script>" + GOOD,
    "download": "<script>location = '/file.bin'</script>" + GOOD,
    "to-file": "<script>location = 'file://SECRET'</script>" + GOOD,
    "frame-file": "<iframe src='file://SECRET'></iframe><script>fetch('file://SECRET').then(r => r.text())"
    ".then(t => document.body.append(t)).catch(() => 0)</script>" + GOOD,
    "to-private": "<script>location = 'http://127.0.0.1:PORT/private'</script>" + GOOD,
    "fetch-private": "<script>fetch('http://127.0.0.1:PORT/private').catch(() => 0)</script>" + GOOD,
    "worker": "<script>navigator.serviceWorker?.register('/worker.js').catch(() => 0)</script>" + GOOD,
    "nodes": "<script>for (let i = 0; i < 1e6; i++) document.body.append(document.createElement('i'))</script>" + GOOD,
    "rounds": "<script>setTimeout(() => location.reload(), 10)</script>" + GOOD,
    "memory": "<script>const all = []; while (all.length < 1e9) all.push(new Float64Array(1e6).fill(1))</script>",
}


@contextmanager
def web(secret: str) -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            name = self.path.rpartition("/")[2].partition("?")[0]
            port = str(self.server.server_address[1])
            body = PAGES.get(name, "?").replace("SECRET", secret).replace("PORT", port).encode()
            kind = "application/octet-stream" if name == "file.bin" else "text/html"
            kind = "text/javascript" if name == "worker.js" else kind
            self.send_response(200)
            for header in (("Content-Type", kind), ("Content-Length", str(len(body)))):
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1], asked
        finally:
            server.shutdown()


async def rendered(name: str, program: object, port: int) -> tuple[str, str, float]:
    """Return the results of a page and of the good page after it, and the seconds of the first."""
    browser = Browser(program=program, proxy=f"http://127.0.0.1:{port}", seconds=SECONDS)
    try:
        begin = time.monotonic()
        try:
            _, found = await browser.html(f"http://a.example/{name}")
        except SkipRecord as skipped:
            found = skipped.reason
        seconds = time.monotonic() - begin
        _, after = await browser.html("http://a.example/good")
        return found, after, seconds
    finally:
        await browser.close()


@pytest.mark.parametrize("name", [name for name in PAGES if name != "good"])
def test_a_hostile_page_is_bounded_and_the_next_one_works(name, chromium_path, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    with web(str(secret)) as (port, asked):
        found, after, seconds = asyncio.run(
            asyncio.wait_for(rendered(name, chromium_path, port), SECONDS * 2 + 3 * SLACK)
        )
    assert seconds < SECONDS + SLACK
    assert SECRET not in found
    assert "A page as it should be" in after
    assert not any(path.endswith("/private") for path in asked)
    if name == "windows":
        assert sum("/good?" in path for path in asked) <= 3
    if name in ("loop", "memory"):
        assert found in ("render-time-out", "render-failed")
