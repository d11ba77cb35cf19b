"""Servers as they are, careless or hostile: answers without a length, without an end, with too much in their heads."""

import contextlib
import json
import socketserver
import subprocess
import sys
import threading
import time

from crawl_web import ROOT, SECONDS, Response, TestWeb, crawl, is_chunked

from parcels.store import open_store

HOME = "http://a.example/"
WORDS = "<p>The ferry between the two towns runs again after three weeks.</p>"
MEGABYTE = 1_000_000


def pages(store):
    return {row["url"]: row["html"] for row in open_store(store).read("pages", columns=["url", "html"]).to_pylist()}


def rejects(store):
    return {row["record"]: row["reason"] for row in open_store(store).read("rejects").to_pylist()}


def pieces(megabytes):
    return (bytes(10_000) for _ in range(megabytes * 100))


def test_answers_in_chunks_are_stored_whole_and_log_nothing(tmp_path):
    paths = [f"{n}" for n in range(8)]
    home = WORDS + "".join(f'<a href="/{path}">{path}</a> ' for path in paths)
    web = TestWeb({HOME: home} | {f"{HOME}{path}": f"<p>{path}</p>{WORDS * 100}" for path in paths})
    with web.serve():
        done = crawl(web, tmp_path / "s", HOME)
    assert pages(tmp_path / "s") == {url: body.encode() for url, body in web.pages.items()}
    assert {is_chunked(url) for url in web.pages} == {True, False}  # else this shows nothing
    assert done.stderr == ""


def test_a_video_in_chunks_is_cut_off_before_its_body_comes(tmp_path):
    video = Response(pieces(15), headers=(("Content-Type", "video/mp4"),))
    web = TestWeb({HOME: f'<a href="/v">video</a>{WORDS}', f"{HOME}v": video})
    with web.serve():
        done = crawl(web, tmp_path / "s", HOME)
    assert rejects(tmp_path / "s") == {f"{HOME}v": "content-type"}
    assert web.sent[f"{HOME}v"] < 8 * MEGABYTE  # what the system's buffers hold, not all fifteen
    assert done.stderr == ""


def test_a_page_in_chunks_without_an_end_is_cut_off_at_the_limit(tmp_path):
    web = TestWeb({HOME: f'<a href="/p">page</a>{WORDS}', f"{HOME}p": Response(pieces(50))})
    with web.serve():
        done = crawl(web, tmp_path / "s", HOME, "--max-bytes", MEGABYTE)
    assert rejects(tmp_path / "s") == {f"{HOME}p": "too-large"}
    assert web.sent[f"{HOME}p"] < 12 * MEGABYTE
    assert "Traceback" not in done.stderr


# -- raw connections --------------------------------------------------------------------------------------------------

RUN = """
import json, sys
from crawler.options import CrawlOptions
from crawler.run import crawl
print(json.dumps(crawl(CrawlOptions(**json.loads(sys.argv[1]))).session.counts))
"""
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"


class RawServer(socketserver.ThreadingTCPServer):
    """A proxy whose answers are written by functions, byte by byte if they like."""

    allow_reuse_address = daemon_threads = True
    block_on_close = False

    def __init__(self, answers):
        self.answers, self.heads = answers, []
        super().__init__(("127.0.0.1", 0), Raw)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()


class Raw(socketserver.StreamRequestHandler):
    def handle(self):
        head = b"".join(iter(self.rfile.readline, b"\r\n"))
        self.server.heads.append(head)
        url = head.split(b" ", 2)[1].decode()
        pieces = self.server.answers.get(url, lambda: [b"HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n"])
        with contextlib.suppress(OSError):
            for piece in pieces():
                self.wfile.write(piece)


def crawl_raw(store, answers, *seeds, **fields):
    """Crawl through a raw server with quick retries; returns what it was sent, and the process."""
    with RawServer(answers) as server:
        fields |= {"proxy": f"http://127.0.0.1:{server.server_address[1]}", "delay": 0.0, "retry_seconds": 0.01}
        order = json.dumps({"store": str(store), "seeds": seeds, **fields})
        done = subprocess.run(
            [sys.executable, "-c", RUN, order], capture_output=True, text=True, timeout=SECONDS, cwd=ROOT, check=False
        )
        server.shutdown()
        assert done.returncode == 0, done.stderr
        return server.heads, done


def slow(start):
    """A byte now and then, for ever."""
    yield start
    while True:
        yield b"x"
        time.sleep(0.1)


def test_servers_that_send_a_byte_now_and_then_are_left_after_the_time_limit(tmp_path):
    answers = {
        HOME: lambda: [OK, b"\r\n", WORDS.encode()],
        f"{HOME}head": lambda: slow(OK + b"X-Slow: "),
        f"{HOME}body": lambda: slow(OK + b"Content-Length: 100000\r\n\r\n"),
        "http://b.example/robots.txt": lambda: slow(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"),
    }
    began = time.monotonic()
    seeds = (HOME, f"{HOME}head", f"{HOME}body", "http://b.example/")
    _, done = crawl_raw(tmp_path / "s", answers, *seeds, timeout=1.0, concurrency=4)
    assert time.monotonic() - began < SECONDS / 2
    assert set(pages(tmp_path / "s")) == {HOME}
    assert rejects(tmp_path / "s") == {
        f"{HOME}head": "timeout", f"{HOME}body": "timeout", "http://b.example/": "robots-unreachable"
    }  # fmt: skip
    assert "Traceback" not in done.stderr


def test_cookies_neither_crash_nor_come_back(tmp_path):
    cookies = b"Set-Cookie: big=%s\r\nSet-Cookie: spy=1; Domain=b.example\r\nSet-Cookie: own=1\r\n" % (b"x" * 60_000)
    home = b'<a href="/next">next</a><a href="http://b.example/">b</a>' + WORDS.encode()
    answers = {
        HOME: lambda: [OK, cookies, b"\r\n", home],
        f"{HOME}next": lambda: [OK, b"\r\n", WORDS.encode()],
        "http://b.example/": lambda: [OK, b"\r\n", WORDS.encode()],
    }
    heads, done = crawl_raw(tmp_path / "s", answers, HOME, "http://b.example/")
    assert set(pages(tmp_path / "s")) == set(answers)
    assert not any(b"cookie" in head.lower() for head in heads)
    assert done.stderr == ""


def test_a_head_without_an_end_is_cut_off(tmp_path):
    sent = []

    def endless():
        yield OK
        for n in range(1_000_000):
            sent.append(n)
            yield b"X-%d: %s\r\n" % (n, b"x" * 1000)

    answers = {HOME: lambda: [OK, b"\r\n", WORDS.encode()], f"{HOME}head": endless}
    _, done = crawl_raw(tmp_path / "s", answers, HOME, f"{HOME}head")
    assert rejects(tmp_path / "s") == {f"{HOME}head": "too-large"}
    assert len(sent) < 20_000  # thousand bytes each: what the system's buffers hold
    assert "Traceback" not in done.stderr
