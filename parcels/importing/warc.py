"""Import of web archives (WARC, ARC) into `pages` and `resources`."""

import datetime as dt
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from parcels.errors import SkipRecord
from parcels.importing.archive import Capture, Damage, archive_files, read_archive
from parcels.importing.http import HttpResponse, body_of, media_type, parse_response
from parcels.importing.run_record import RunRecord
from parcels.inputs import MAX_BYTES
from parcels.store import Store

STEP = "import-warc"
HTML_TYPES = frozenset(["text/html", "application/xhtml+xml"])
CSS_TYPE = "text/css"
FAMILIES = frozenset(["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"])
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LOOKS_LIKE_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I | re.S)


def import_warc(
    store: Store,
    sources: Sequence[str],
    *,
    crawl: str,
    max_bytes: int = MAX_BYTES,
    each: Callable[[], None] = lambda: None,
) -> RunRecord:
    """Import the HTML pages and style sheets of archives, and call `each` after every record.

    A page is a response or resource with an HTML media type, a status of 200 to 299 and a body. Its visit is the
    capture's time in microseconds, so two captures of one address are two pages. Other responses that could have been
    pages are rejected; other kinds of records and other media types are counted as skipped.
    """
    files = archive_files(list(sources))
    settings = {"sources": list(sources), "max_bytes": max_bytes}
    with RunRecord(store, step=STEP, crawl=crawl, settings=settings) as run:
        for path in files:
            _import_file(run, path, max_bytes, each)
    return run


def _import_file(run: RunRecord, path: Path, max_bytes: int, each: Callable[[], None]) -> None:
    source = str(path)
    for found in read_archive(path, max_bytes=max_bytes):
        run.counts["records"] += 1
        record = f"{source}@{found.place}"
        if isinstance(found, Damage):
            detail = f"{found.url}: {found.detail}" if found.url else found.detail
            run.reject(record, found.reason, detail=detail, source=source)
        else:
            try:
                _import_record(run, found, source, max_bytes)
            except SkipRecord as error:
                detail = f"{found.url}: {error.detail}" if error.detail else found.url or ""
                run.reject(record, error.reason, detail=detail, source=source)
        each()


def _import_record(run: RunRecord, capture: Capture, source: str, max_bytes: int) -> None:
    if capture.kind == "conversion":
        raise SkipRecord("conversion", detail=f"text without markup ({capture.content_type})")
    if capture.kind not in ("response", "resource", "revisit"):
        run.skip(f"{capture.kind} record")
        return
    is_http = (capture.url or "").startswith(("http:", "https:")) and capture.kind != "resource"
    if not is_http and capture.kind != "resource":
        run.skip("not HTTP")
        return
    if capture.block is None:
        if _other_medium(media_type(capture.payload_type)[0]):
            run.skip(_other_medium(media_type(capture.payload_type)[0]))
            return
        raise SkipRecord("too-large", detail=f"a record of {capture.length:,} bytes")
    response = parse_response(capture.block) if is_http else HttpResponse(None, (), 0)
    header = response.get("content-type") if is_http else capture.content_type
    kind, charset = media_type(header)
    _import_response(run, capture, response, kind or media_type(capture.payload_type)[0], charset, source, max_bytes)


def _import_response(
    run: RunRecord,
    capture: Capture,
    response: HttpResponse,
    kind: str | None,
    charset: str | None,
    source: str,
    max_bytes: int,
) -> None:
    assert capture.block is not None
    if kind and _other_medium(kind):
        run.skip(_other_medium(kind))
        return
    if capture.kind == "revisit":
        if kind == CSS_TYPE:
            run.skip("revisit of a style sheet")
            return
        raise SkipRecord("revisit", detail=f"the same bytes as {capture.refers_to}")
    if response.status is not None and not 200 <= response.status < 300:
        raise SkipRecord("http-status", detail=str(response.status))
    if capture.is_short:
        raise SkipRecord("truncated", detail=f"{len(capture.block):,} of {capture.length:,} bytes are in the file")
    body, is_cut = body_of(capture.block, response, max_bytes=max_bytes)
    if kind is None and not _LOOKS_LIKE_HTML.match(body, 0, 4096):
        run.skip("no media type, not HTML by its looks")
        return
    columns: dict[str, Any] = {
        "fetched_at": capture.at, "status": response.status, "content_type": kind, "charset": charset, "source": source,
    }  # fmt: skip
    if kind == CSS_TYPE:
        if not run.sheet(body, address=capture.url or source, **columns)[1]:
            run.skip("style sheet already in the store")
        return
    run.page(
        body,
        record=f"{source}@{capture.place}",
        address=capture.url,
        name=None if capture.url else f"{source}@{capture.place}",
        visit=(capture.at - EPOCH) // dt.timedelta(microseconds=1) if capture.at else 0,
        headers=[{"name": name, "value": value} for name, value in response.headers] or None,
        is_truncated=is_cut or capture.is_cut,
        **columns,
    )


def _other_medium(kind: str | None) -> str:
    """Return the reason to skip a media type; empty for HTML, CSS and unknown types."""
    if kind is None or kind in HTML_TYPES or kind == CSS_TYPE:
        return ""
    family = kind.partition("/")[0]
    return f"not HTML ({family if family in FAMILIES else 'other'})"
