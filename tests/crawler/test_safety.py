"""Nothing private is fetched, in whatever spelling it is asked for, and nothing unpacks without end."""

import gzip
import json
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import brotli
import pytest
from backports import zstd

from crawler.fetch.decompress import unpack, unpacked
from crawler.fetch.safety import (
    MAX_REDIRECTS,
    is_private_address,
    is_private_host,
    redirect_refusal,
    refusal,
    type_refusal,
)
from parcels.errors import SkipRecord

HELPER = Path(__file__).parents[1] / "scrapy_once.py"
ROOT = Path(__file__).parents[2]
BIG = 8_000_000


@pytest.mark.parametrize("host", [
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0x0.0x0.0x1", "017700000001", "127.0.0.1.",
    "0", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1",
    "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fe80::1]", "[fc00::1]",
    "[fd00:ec2::254]", "[2002:7f00:1::]", "[2001:0:0:0:0:0:80ff:fffe]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]",
    "[fec0::1]", "[ff02::1]", "localhost", "LOCALHOST.", "app.localhost", "printer.local", "metadata.google.internal",
    "router", "nas.lan", "１２７.０.０.１", "127。0。0。1", "%31%32%37.0.0.1", "loc%61lhost",
])  # fmt: skip
def test_a_private_host_is_refused_in_every_spelling(host):
    assert refusal(f"http://{host}/secret") == "private-address"
    assert refusal(f"http://{host}:8080/secret") == "private-address"


@pytest.mark.parametrize(
    "host", ["news.example", "8.8.8.8", "[2606:4700::1111]", "127.0.0.1.example.org", "localhost.example"]
)
def test_a_public_host_is_not(host):
    assert refusal(f"http://{host}/") is None


@pytest.mark.parametrize("url, reason", [
    ("ftp://a.example/", "not-web"), ("file:///etc/passwd", "not-web"), ("gopher://a.example/", "not-web"),
    ("", "not-web"), ("http://", "not-web"), ("http://user:word@a.example/", "credentials"),
    ("http://a.example@127.0.0.1/", "private-address"),
    ("http://[::1", "not-web"), ("javascript:alert(1)", "not-web"),
])  # fmt: skip
def test_other_addresses_are_refused_with_a_reason(url, reason):
    assert refusal(url) == reason


def test_what_is_no_number_counts_as_private():
    assert is_private_address("not a number")
    assert is_private_address("fe80::1%eth0")
    assert not is_private_host("a.example")


def test_redirects_end():
    chain = [f"http://a.example/{n}" for n in range(MAX_REDIRECTS)]
    assert redirect_refusal(chain, "http://a.example/new") is None
    assert redirect_refusal([*chain, "http://a.example/x"], "http://a.example/new") == "too-many-redirects"
    assert redirect_refusal(["http://a.example/"], "http://a.example/") is None
    assert redirect_refusal(["http://a.example/", "http://a.example/"], "http://a.example/") == "redirect-loop"


def test_types_that_hold_no_page_are_refused():
    wanted = ["text/html", "TEXT/HTML;charset=x", "application/xhtml+xml", "application/rss+xml", "text/css", "", None]
    assert [type_refusal(kind) for kind in wanted] == [None] * len(wanted)
    unwanted = ["image/png", "video/mp4", "application/pdf", "application/zip", "image/svg+xml", "font/woff2"]
    assert [type_refusal(kind) for kind in unwanted] == ["content-type"] * len(unwanted)


BOMB = """
import resource, zlib, brotli
from crawler.fetch.decompress import _zstd, unpacked
from parcels.errors import SkipRecord

piece, made = bytes(1 << 20), []
if "{name}" == "br":
    packer = brotli.Compressor(quality=5)
    feed, end = packer.process, packer.finish
elif "{name}" == "zstd":
    packer = _zstd().ZstdCompressor(level=3)
    feed, end = packer.compress, packer.flush
else:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    feed, end = packer.compress, packer.flush
for _ in range(1 << 10):
    made.append(feed(piece))
made.append(end())
bomb = b"".join(made)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    for _ in unpacked([bomb], encoding="{name}", max_bytes=(1 << 30) - 1):
        pass
    raise AssertionError("it passed the limit")
except SkipRecord as skipped:
    assert skipped.reason == "too-large"
print(len(bomb), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
PACKERS = {
    "gzip": lambda data: gzip.compress(data), "deflate": lambda data: zlib.compress(data), "br": brotli.compress,
    "zstd": zstd.compress, "raw-deflate": lambda data: zlib.compress(data)[2:-4],
}  # fmt: skip


@pytest.mark.parametrize("name", PACKERS)
def test_what_is_packed_is_unpacked_by_pieces(name):
    data = b"".join(b"line %d\n" % n for n in range(20_000))
    packed, encoding = PACKERS[name](data), name.removeprefix("raw-")
    for size in (1, 1000, len(packed)):
        pieces = [packed[at : at + size] for at in range(0, len(packed), size)]
        assert b"".join(unpacked(pieces, encoding=encoding, max_bytes=len(data))) == data


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_costs_its_limit_and_no_more(name):
    packed, encoding = PACKERS[name](bytes(BIG)), name.removeprefix("raw-")
    sizes: list[int] = []
    with pytest.raises(SkipRecord, match="too-large"):
        sizes.extend(map(len, unpacked([packed], encoding=encoding, max_bytes=1_000_000)))
    assert sum(sizes) <= 1_000_000
    assert max(sizes, default=0) <= 1 << 20


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_bomb_of_a_gigabyte_takes_no_memory(name):
    done = subprocess.run(
        [sys.executable, "-c", BOMB.format(name=name)],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=ROOT,
        check=True,
    )
    size, grown_mb = map(int, done.stdout.split())
    assert size < 2_000_000  # a gigabyte, packed
    assert grown_mb < 30


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_several_streams_in_one_file_are_one(name):
    assert unpack(PACKERS[name](b"one ") + PACKERS[name](b"two"), max_bytes=100) == b"one two"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "rot13"])
def test_rubbish_is_an_error_with_a_reason(encoding):
    with pytest.raises(SkipRecord, match="undecodable"):
        unpack(b"<html>this was never packed" * 10, encoding=encoding, max_bytes=10_000)


def test_half_a_file_is_half_read():
    data = b"".join(b"line %d\n" % n for n in range(20_000))
    packed = gzip.compress(data)
    assert data.startswith(unpack(packed[: len(packed) // 2], max_bytes=len(data)))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers: dict[str, tuple[int, dict[str, str], bytes]]
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status, headers, body = self.answers.get(self.path, (404, {}, b"none"))
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body)), "Content-Type": "text/html"} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@contextmanager
def server(
    answers: dict[str, tuple[int, dict[str, str], bytes]], *, at: str = "127.0.0.1"
) -> Iterator[tuple[int, list[str]]]:
    asked: list[str] = []
    handler = type("Answers", (Handler,), {"answers": answers, "asked": asked})
    family = socket.AF_INET6 if ":" in at else socket.AF_INET
    with type("Server", (ThreadingHTTPServer,), {"address_family": family})((at, 0), handler) as running:
        running.daemon_threads = True
        running.block_on_close = False
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield running.server_address[1], asked
        finally:
            running.shutdown()
            thread.join()


def crawl(urls: list[str], **order: object) -> dict[str, dict]:
    order = {"urls": urls, "settings": {}} | order
    done = subprocess.run(
        [sys.executable, str(HELPER)], input=json.dumps(order), capture_output=True, text=True, timeout=120, check=True,
        cwd=ROOT, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["asked"]: line for line in lines}


def test_scrapy_fetches_nothing_private():
    with server({"/": (200, {}, b"secret")}) as (port, asked):
        urls = [f"http://127.0.0.1:{port}/", f"http://evil.example:{port}/", f"http://2130706433:{port}/"]
        names = {"evil.example": [["127.0.0.1"]]}
        found = crawl(urls, names=names)
        assert {url: line.get("reason") for url, line in found.items()} == dict.fromkeys(urls, "private-address")
        assert asked == []
        allowed = crawl(urls[:2], names=names, settings={"ALLOW_PRIVATE": True})
        assert {line.get("body") for line in allowed.values()} == {"secret"}


def test_a_name_server_cannot_lead_to_a_private_address():
    names = {
        "mixed.example": [["10.0.0.1", "127.0.0.1", "::1"]],
        "mapped.example": [["::ffff:127.0.0.1"]],
        "xn--bse-sna.example": [["127.0.0.1"]],  # böse
        "rebound.example": [["192.88.99.77"], ["127.0.0.1"]],  # another number for every lookup
    }
    with server({"/": (200, {}, b"secret")}) as (port, asked):
        urls = [f"http://{host}:{port}/" for host in names]
        settings = {"DNSCACHE_ENABLED": False, "DOWNLOAD_TIMEOUT": 2}
        found = crawl([*urls, f"{urls[-1]}?again"], names=names, settings=settings)
    assert asked == []
    assert {found[url]["reason"] for url in urls[:3]} == {"private-address"}
    # Of two lookups one gives a public number, which is the one that is connected to (and nobody is there).
    assert {found[url]["reason"] for url in found if "rebound" in url} == {"private-address", None}


def test_a_host_that_has_only_an_address_of_ipv6_is_fetched():
    with server({"/": (200, {}, b"words")}, at="::1") as (port, asked):
        urls = [f"http://six.example:{port}/", f"http://[::1]:{port}/"]
        names = {"six.example": [["::1"]]}
        refused = crawl(urls, names=names)
        assert {line["reason"] for line in refused.values()} == {"private-address"}
        assert asked == []
        found = crawl(urls, names=names, settings={"ALLOW_PRIVATE": True})
    assert [found[url].get("body") for url in urls] == ["words", "words"]


def test_scrapy_follows_no_redirect_to_a_private_address_nor_in_circles():
    web = {
        "http://open.example/in": (302, {"Location": "http://169.254.169.254/latest/meta-data/"}, b""),
        "http://open.example/loop": (302, {"Location": "http://open.example/loop2"}, b""),
        "http://open.example/loop2": (302, {"Location": "http://open.example/loop"}, b""),
        "http://open.example/good": (302, {"Location": "http://open.example/page"}, b""),
        "http://open.example/page": (200, {}, b"a page"),
    }
    with server(web) as (port, asked):
        found = crawl(
            [f"http://open.example/{name}" for name in ("in", "loop", "good")],
            settings={"PROXY": f"http://127.0.0.1:{port}"},
        )
    reasons = {url.rpartition("/")[2]: line.get("reason") or line["body"] for url, line in found.items()}
    assert reasons == {"in": "private-address", "loop": "redirect-loop", "good": "a page"}
    assert not any("169.254" in path for path in asked)


def test_scrapy_stops_at_wrong_types_large_bodies_and_bombs():
    page = b"<p>words</p>"
    web = {
        "http://a.example/video": (200, {"Content-Type": "video/mp4"}, bytes(100_000)),
        "http://a.example/large": (200, {}, bytes(2_000_000)),
        "http://a.example/bomb": (200, {"Content-Encoding": "gzip"}, gzip.compress(bytes(BIG))),
        "http://a.example/brotli-bomb": (200, {"Content-Encoding": "br"}, brotli.compress(bytes(BIG))),
        "http://a.example/zstd-bomb": (200, {"Content-Encoding": "zstd"}, zstd.compress(bytes(BIG))),
        "http://a.example/twice": (200, {"Content-Encoding": "gzip, br"}, brotli.compress(gzip.compress(bytes(BIG)))),
        "http://a.example/packed": (200, {"Content-Encoding": "br"}, brotli.compress(page)),
        "http://a.example/none": (200, {"Content-Type": ""}, page),
    }
    with server(web) as (port, _):
        found = crawl(list(web), settings={"PROXY": f"http://127.0.0.1:{port}", "DOWNLOAD_MAXSIZE": 1_000_000})
    told = {url.rpartition("/")[2]: line.get("reason") or line.get("body") or line for url, line in found.items()}
    assert told == {
        "video": "content-type", "large": "too-large", "bomb": "too-large", "brotli-bomb": "too-large",
        "zstd-bomb": "too-large", "twice": "too-large",
        "packed": page.decode(), "none": page.decode(),
    }  # fmt: skip
