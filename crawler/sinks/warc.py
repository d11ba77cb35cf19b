"""Write WARC files: one per segment, with each response in a gzip member of its own."""

import base64
import datetime as dt
import gzip
import hashlib
import os
from collections.abc import Callable, Mapping
from http.client import responses
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import parcels
from crawler.sinks.entry import Entry
from crawler.sinks.sealing import entries

# The body is stored decoded, so the server's headers about its encodings do not apply.
_UNDONE = frozenset(["content-encoding", "transfer-encoding", "content-length"])


def warc_writer(folder: Path) -> Callable[[Path, dict[int, str]], None]:
    """Return a function for the sink to call before it seals a segment."""

    def write(segment: Path, receipts: dict[int, str]) -> None:
        write_warc(segment, receipts, folder / f"{segment.stem}.warc.gz")

    return write


def write_warc(segment: Path, receipts: Mapping[int, str], target: Path) -> int:
    """Write the answers of a segment; returns how many. The file appears whole, and twice written is the same."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    count = 0
    with part.open("wb") as file:
        file.write(_packed(_info(segment.stem)))
        for entry in entries(segment):
            if entry.lease.token in receipts and entry.page is not None:
                file.write(_packed(_response(entry)))
                count += 1
        file.flush()
        os.fsync(file.fileno())
    part.replace(target)
    return count


def _packed(record: bytes) -> bytes:
    return gzip.compress(record, 6, mtime=0)


def _info(name: str) -> bytes:
    block = f"software: parcels {parcels.__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    made = dt.datetime.fromtimestamp(int(name[:12], 16) / 1000, dt.UTC)  # a segment's name begins with its time
    return _record("warcinfo", uuid5(NAMESPACE_URL, name).urn, made, "application/warc-fields", block, {})


def _response(entry: Entry) -> bytes:
    assert entry.page is not None
    status = entry.page["status"]
    kept = [(name, value) for name, value in entry.page["headers"] if name.lower() not in _UNDONE]
    lines = [f"HTTP/1.1 {status} {responses.get(status, '')}".rstrip(), *(f"{name}: {value}" for name, value in kept)]
    head = "\r\n".join([*lines, f"Content-Length: {len(entry.body)}", "", ""]).encode("latin-1", "replace")
    digest = base64.b32encode(hashlib.sha1(entry.body, usedforsecurity=False).digest()).decode()
    more = {"WARC-Target-URI": entry.lease.url, "WARC-Payload-Digest": f"sha1:{digest}"}
    at = dt.datetime.fromtimestamp(entry.fetched_at, dt.UTC)
    name = f"{entry.lease.url} {entry.lease.visit} {entry.lease.token}"
    kind = "application/http; msgtype=response"
    return _record("response", uuid5(NAMESPACE_URL, name).urn, at, kind, head + entry.body, more)


def _record(kind: str, name: str, at: dt.datetime, media: str, block: bytes, more: Mapping[str, str]) -> bytes:
    headers = {
        "WARC-Type": kind, "WARC-Record-ID": f"<{name}>", "WARC-Date": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "Content-Type": media, "Content-Length": str(len(block)), **more,
    }  # fmt: skip
    head = "WARC/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in headers.items())
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"
