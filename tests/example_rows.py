"""Rows and archives that the tests of the store share."""

import datetime as dt
import gzip
from typing import Any

from parcels.urls import content_hash, page_id

# Names that mean something to a path, to a type guesser, or to a reader of the web.
TRICKY_CRAWLS = [
    "plain", "a b", "a/b", "k=v", "2024", "007", "1e3", "null", "true", "é漢", "100%", "a+b", "%41", "o'x", 'q"x',
    "[x]*?{a,b}", "2024-01-01", "😀", "..", "C:\\x", "a#b?c&d;e",
]  # fmt: skip
NOON = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)


def page(n: int = 0, *, html: bytes | None = None, **columns: Any) -> dict[str, Any]:
    url = f"http://news.example/{n}"
    html = b"<p>page %d" % n if html is None else html
    row = {
        "page_id": page_id(url, columns.get("crawl", ""), 0), "url": url, "host": "news.example", "html": html,
        "content_hash": content_hash(html), "byte_count": len(html), "is_truncated": False, "visit": 0,
        "source": "crawl", "fetched_at": NOON, "fetched_date": NOON.date(), "status": 200,
        "headers": [{"name": "Content-Type", "value": "text/html"}],
    }  # fmt: skip
    return row | columns


def reject(record: str, reason: str = "empty", **columns: Any) -> dict[str, Any]:
    return {"record": record, "step": "test", "reason": reason, "rejected_at": NOON} | columns


def http(body: bytes, *, status: str = "200 OK", end: bytes = b"\r\n", **headers: str) -> bytes:
    named = {"Content-Type": "text/html"} | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}".encode(), *(f"{name}: {value}".encode() for name, value in named.items() if value)]
    return end.join([*lines, b"", body])


def warc(
    block: bytes, *, kind: str = "response", url: str | None = "http://news.example/",
    date: str = "2024-05-01T12:00:00Z", length: int | None = None,
    content_type: str = "application/http; msgtype=response", **headers: str,
) -> bytes:  # fmt: skip
    named = {
        "WARC-Type": kind, "WARC-Record-ID": f"<urn:test:{content_hash(block)}>", "WARC-Date": date,
        "WARC-Target-URI": url, "Content-Type": content_type,
        "Content-Length": str(len(block) if length is None else length),
    } | {name.replace("_", "-"): value for name, value in headers.items()}  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items() if value is not None)
    return b"WARC/1.0\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def gz(*records: bytes) -> bytes:
    """Each record a gzip member, as WARC wants it."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)
