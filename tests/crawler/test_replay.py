"""Stored pages as a web: right status, type and bytes, whatever the spelling; nothing else."""

import datetime as dt
import http.client
import json
import os
import signal
import ssl
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.replay import Replay, respond, serving
from crawler.replay.files import File, RowGroups, find_files
from crawler.replay.rows import ROWS_AT_ONCE
from parcels import example_web
from parcels.cli import main
from parcels.errors import ConfigError, InputMissing
from parcels.store import open_store
from parcels.urls import canonical, content_hash, host_of, page_id

ROOT = Path(__file__).parents[2]
WHEN = dt.datetime(2024, 5, 7, 12, 0, tzinfo=dt.UTC)


def row(url: str, html: bytes, *, visit: int = 1, **more: object) -> dict:
    return {
        "page_id": page_id(url, "one", visit), "url": canonical(url), "host": host_of(url), "html": html, "status": 200,
        "content_hash": content_hash(html), "byte_count": len(html), "is_truncated": False, "visit": visit,
        "source": "test", "fetched_at": WHEN + dt.timedelta(hours=visit), "fetched_date": WHEN.date(),
        "content_type": "text/html", "charset": None, "final_url": url,
    } | more  # fmt: skip


@pytest.fixture
def store(tmp_path) -> str:
    where = str(tmp_path / "store")
    made = open_store(where, create=True)
    old = b"<p>old"
    made.write("pages", [
        row("http://a.example/", old),
        row("http://a.example/", b"<p>new", visit=2, headers=[
            {"name": "Content-Type", "value": "text/html; charset=iso-8859-1"},
            {"name": "X-Robots-Tag", "value": "noindex"},
            {"name": "Content-Encoding", "value": "gzip"}, {"name": "Bad", "value": "a\r\nInjected: b"}]),
        row("http://a.example/", b"", visit=3, content_hash=content_hash(b"<p>new"), status=304),
        row("http://a.example/moved", b"<p>at its new place", final_url="http://a.example/place#part"),
        row("http://a.example/gone", b"<p>gone", status=410),
        row("http://a.example/to", b"", status=301, headers=[{"name": "Location", "value": "/place"}]),
        row("https://b.example/dir/", "<p>é".encode("latin-1"), charset="latin-1"),
    ], crawl="one")  # fmt: skip
    body = b"p { color: red }"
    sheet = {
        "content_hash": content_hash(body), "url": "http://a.example/main.css", "kind": "stylesheet", "body": body,
        "fetched_at": WHEN, "fetched_date": WHEN.date(), "content_type": "text/css", "byte_count": len(body),
        "source": "test", "status": 200, "charset": None,
    }  # fmt: skip
    made.write("resources", [sheet], crawl="one")
    return where


@pytest.fixture
def index(store):
    return Replay.open(store).index


@pytest.mark.parametrize("url, status, body", [
    ("http://a.example/", 200, b"<p>new"), ("HTTP://A.EXAMPLE:80/?utm_source=x#top", 200, b"<p>new"),
    ("https://a.example/", 200, b"<p>new"), ("http://a.example/gone", 410, b"<p>gone"),
    ("http://a.example/place", 200, b"<p>at its new place"), ("http://a.example/main.css", 200, b"p { color: red }"),
    ("https://b.example/dir/", 200, b"<p>\xe9"), ("http://b.example/dir/", 200, b"<p>\xe9"),
])  # fmt: skip
def test_an_address_gets_its_stored_bytes(index, url, status, body):
    found = respond(index, url)
    assert (found.status, found.body) == (status, body)


@pytest.mark.parametrize("url, status, target", [
    ("http://a.example/moved", 302, "http://a.example/place#part"), ("http://a.example/to", 301, "/place"),
    ("https://b.example/dir", 301, "https://b.example/dir/"), ("http://a.example/gone/", 301, "http://a.example/gone"),
])  # fmt: skip
def test_a_redirect_stays_one(index, url, status, target):
    found = respond(index, url)
    assert (found.status, dict(found.headers)["Location"]) == (status, target)


@pytest.mark.parametrize(
    "url", ["http://a.example/robots.txt", "http://c.example/", "http://a.example/?x", "http://127.0.0.1/"]
)
def test_what_is_not_stored_is_not_found(index, url):
    assert respond(index, url).status == 404


def test_headers_are_the_stored_ones_where_they_still_hold(index):
    headers = dict(respond(index, "http://a.example/").headers)
    assert headers["Content-Type"] == "text/html; charset=iso-8859-1"
    assert headers["X-Robots-Tag"] == "noindex"
    assert not {"Content-Encoding", "Bad", "Injected"} & set(headers)
    assert dict(respond(index, "https://b.example/dir/").headers)["Content-Type"] == "text/html; charset=latin-1"


def test_an_unchanged_page_is_told_as_such(index):
    tag = dict(respond(index, "http://a.example/").headers)["ETag"]
    assert respond(index, "http://a.example/", if_none_match=tag).status == 304
    assert respond(index, "http://a.example/", if_none_match='"other"').status == 200


def ask(port: int, method: str, target: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, target, headers=headers)
        got = connection.getresponse()
        return got.status, dict(got.headers), got.read()
    finally:
        connection.close()


def test_the_proxy_answers_full_addresses_host_headers_and_https(store):
    with serving(store) as replay:
        assert ask(replay.port, "GET", "http://a.example/")[2] == b"<p>new"
        assert ask(replay.port, "GET", "/gone", Host="a.example")[0] == 410
        status, headers, body = ask(replay.port, "HEAD", "http://a.example/")
        assert (status, headers["Content-Length"], body) == (200, "6", b"")
        assert ask(replay.port, "POST", "http://a.example/")[0] == 405
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        tunnel = http.client.HTTPSConnection("127.0.0.1", replay.port, context=context, timeout=30)
        tunnel.set_tunnel("b.example", 443)
        for _ in range(2):
            tunnel.request("GET", "/dir/")
            assert tunnel.getresponse().read() == b"<p>\xe9"
        tunnel.close()
        assert replay.counts == {200: 4, 410: 1, 405: 1}


@pytest.mark.parametrize(
    "sent", [b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01 tls \r\n\r\n", b"GET " + b"x" * 100_000]
)
def test_what_is_no_request_does_no_harm(store, sent):
    import socket

    with serving(store) as replay:
        with socket.create_connection(("127.0.0.1", replay.port), timeout=30) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            while client.recv(65536):
                pass
        assert ask(replay.port, "GET", "http://a.example/")[0] == 200


def test_rows_kept_on_disk_are_bounded(tmp_path):
    path = tmp_path / "pages.parquet"
    table = pa.table(
        {"url": [f"http://a.example/{n}" for n in range(100)], "html": [os.urandom(10_000) for _ in range(100)]}
    )
    pq.write_table(table, path, row_group_size=10)
    [file] = find_files(str(path))
    groups = RowGroups([file], cache_bytes=250_000)
    for n in [*range(100), *range(100)]:
        assert groups.row(0, n // 10, n % 10)["html"] == table["html"][n].as_py()
        assert groups._rows.held_bytes <= 250_000
    assert isinstance(file, File)


@pytest.mark.parametrize("html", [pa.binary(), pa.string()])
@pytest.mark.parametrize("whole", [0, 1 << 30])
def test_a_row_group_is_decoded_once_and_a_large_one_only_as_far_as_asked(tmp_path, monkeypatch, html, whole):
    monkeypatch.setattr("crawler.replay.rows.WHOLE_BYTES", whole)
    path = tmp_path / "pages.parquet"
    bodies = [None, "", *(f"<p>Page {n} of many, with an é. " * 50 for n in range(998))]
    made = [body.encode() if body is not None and html == pa.binary() else body for body in bodies]
    table = pa.table({"url": [f"http://a.example/{n}" for n in range(1000)], "html": pa.array(made, html)})
    pq.write_table(table, path, row_group_size=1000)
    groups = RowGroups(find_files(str(path)))
    held = pa.total_allocated_bytes()
    for n in (500, 3, 0, 1, 999, 500):
        row = groups.row(0, 0, n)
        assert (row["url"], row["html"]) == (f"http://a.example/{n}", None if n == 0 else bodies[n].encode())
        (kept,) = groups._rows._groups.values()
        last = 999 if n == 999 else 500
        assert (
            len(kept._places) == (1000 if whole else min((last // ROWS_AT_ONCE + 1) * ROWS_AT_ONCE, 1000)) or n == 500
        )
    assert pa.total_allocated_bytes() < held + 500_000  # nothing of the group stays in memory
    before = time.process_time()
    for n in range(1000):
        groups.row(0, 0, n)
    assert time.process_time() - before < 1.0  # 1 ms per row: 1,000 times the group would take minutes


def test_a_source_that_is_none_is_an_error_that_says_so(tmp_path, store):
    pq.write_table(pa.table({"page": ["a"], "html": [b"x"]}), tmp_path / "no-url.parquet")
    (tmp_path / "empty").mkdir()
    for source in ("nowhere", str(tmp_path / "no-url.parquet"), str(tmp_path / "empty")):
        with pytest.raises(InputMissing):
            Replay.open(source)
    with pytest.raises(InputMissing, match="crawl 'other'"):
        Replay.open(store, crawl="other")
    with pytest.raises(ConfigError):
        Replay.open(str(tmp_path / "no-url.parquet"), crawl="other")


def test_the_command_serves_until_it_is_stopped(store):
    words = [sys.executable, "-m", "parcels.cli", "replay", "--store", store, "--seconds", "60"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        proxy = process.stdout.readline().strip()
        assert ask(int(proxy.rpartition(":")[2]), "GET", "http://a.example/")[2] == b"<p>new"
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "5 pages" in said or "6 pages" in said
    assert "answered 1 requests (200: 1)" in said


def test_a_port_that_is_taken_is_told(store, capsys):
    with serving(store) as replay:
        assert main(["replay", "--store", store, "--port", str(replay.port)]) == 2
    assert "Choose another --port" in capsys.readouterr().err


def scrapy_crawl(proxy: str, urls: list[str], hosts: set[str | None], tmp_path: Path, **order: object) -> list[dict]:
    order |= {
        "urls": urls, "follow": sorted(map(str, hosts)), "is_safe": False,
        "settings": {"PROXY": proxy, "DEPTH_LIMIT": 0},
    }  # fmt: skip
    out = tmp_path / "answers.jsonl"
    with out.open("w") as file:
        subprocess.run(
            [sys.executable, str(ROOT / "tests" / "scrapy_once.py")], input=json.dumps(order), stdout=file, text=True,
            stderr=subprocess.PIPE, timeout=300, check=True, cwd=ROOT,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_the_example_web_crawled_again_from_its_stored_pages(tmp_path):
    """https in the links of the stored pages works too: Scrapy asks by CONNECT."""
    host = "lumen.example"
    rows = []
    for url in example_web.urls(host):
        got = example_web.fetch(url)
        if got.status == 200 and "html" in got.headers["Content-Type"]:
            rows.append({"url": url.replace("http:", "https:"), "html": got.body.replace(b"http:", b"https:")})
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pages.parquet")
    with serving(str(tmp_path / "pages.parquet")) as replay:
        got = {one["url"]: one for one in scrapy_crawl(replay.proxy, [f"https://{host}/"], {host}, tmp_path)}
    stored = {one["url"]: one["html"] for one in rows}
    fetched = {canonical(url): one["body"].encode("latin-1") for url, one in got.items() if one["status"] == 200}
    assert len(fetched) > 20
    assert all(stored.get(url) == body for url, body in fetched.items())


@pytest.mark.corpus
def test_a_university_of_webkb_is_crawled_whole(corpora, tmp_path):
    """Every page of the university that can be reached by links from its department's page, with its very bytes.

    Links that lead to no stored page are not asked for here: they are many, and each of them is a 404.
    """
    table = pq.read_table(corpora / "webkb" / "pages.parquet")
    table = table.filter(pa.compute.equal(table["university"], "cornell"))
    pages = tmp_path / "cornell.parquet"
    pq.write_table(table, pages, row_group_size=100)
    stored: dict[str, bytes] = {}
    for one in table.select(["url", "html"]).to_pylist():
        if url := canonical(one["url"]):
            stored.setdefault(url, one["html"])
    start = "http://www.cs.cornell.edu/"
    assert start in stored
    with serving(str(pages)) as replay:
        got = scrapy_crawl(replay.proxy, [start], set(map(host_of, stored)), tmp_path, only=list(stored))
        counts = Counter(replay.counts)
    fetched: dict[str, bytes] = {}
    for one in got:
        if one.get("status") == 200:
            fetched.setdefault(str(canonical(one["url"])), one["body"].encode("latin-1"))
    wrong = [url for url, body in fetched.items() if stored.get(url) != body]
    assert not wrong
    assert set(fetched) == reachable(stored, start)
    assert len(fetched) > 300
    assert counts[200] >= len(fetched)


def reachable(stored: dict[str, bytes], start: str) -> set[str]:
    """By links alone, read as Scrapy reads them, over the stored pages: what a crawl must find."""
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    links = LinkExtractor(unique=True, deny_extensions=[])
    seen, queue = {start}, [start]
    while queue:
        url = queue.pop()
        for link in links.extract_links(HtmlResponse(url, body=stored[url])):
            target = canonical(link.url)
            slashed = target and (target[:-1] if target.endswith("/") else f"{target}/")
            target = target if target in stored else slashed
            if target in stored and target not in seen:
                seen.add(target)
                queue.append(target)
    return seen
