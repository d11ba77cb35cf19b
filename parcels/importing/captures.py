"""Convert a record of an archive to a page or a style sheet, for imports by one process and by a cluster."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import xxhash

from parcels.errors import SkipRecord
from parcels.importing.archive import Capture, Damage, read_records
from parcels.importing.filters import HTML_TYPES, LeftOut, RecordFilter
from parcels.importing.http import HttpResponse, body_of, media_type, parse_response
from parcels.importing.opening import ArchiveFile

CSS_TYPE = "text/css"
FAMILIES = frozenset(["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"])
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_LOOKS_LIKE_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I | re.S)


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page of an archive; `columns` are those of `pages` that need no further work."""

    record: str
    html: bytes
    address: str | None
    name: str | None
    visit: int
    columns: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ArchivedSheet:
    """A style sheet of an archive."""

    body: bytes
    address: str
    columns: dict[str, Any]


class Originals:
    """The positions in one archive of the payloads that revisit records refer to, by payload digest."""

    def __init__(self, places: dict[int, int] | None = None):
        self.places = places if places is not None else {}

    def add(self, capture: Capture) -> None:
        """Remember the place of a response with a body."""
        if capture.kind == "response" and capture.digest:
            self.places.setdefault(_number(capture.digest), capture.place)

    def find(self, revisit: Capture, file: ArchiveFile, max_bytes: int) -> Capture | None:
        """Return the response that a revisit refers to; None where the archive does not hold it."""
        if not revisit.digest or (place := self.places.get(_number(revisit.digest))) is None:
            return None
        record = next(read_records(file, max_bytes=max_bytes, begin=place), None)
        if isinstance(record, Damage) or record is None or record.digest != revisit.digest or record.block is None:
            return None
        return record


def _number(digest: str) -> int:
    return xxhash.xxh3_64_intdigest(digest.strip().lower().encode())


class CaptureReader:
    """Turns the records of one archive into pages and style sheets, in order."""

    def __init__(
        self, source: str, conditions: RecordFilter, *, originals: Originals, reopened: Callable[[], ArchiveFile],
    ):  # fmt: skip
        self.source, self.conditions, self.originals = source, conditions, originals
        self._reopened = reopened  # the archive once more, for the payloads of revisits

    def read(self, capture: Capture) -> ArchivedPage | ArchivedSheet:
        """Return the page or style sheet of a record.

        A page is a response or resource with an HTML media type, a fitting status and a body. Its visit is the
        capture's time in microseconds, so two captures of one address are two pages. Raises SkipRecord for other
        responses that could have been pages, and LeftOut for other kinds of records and media types.
        """
        if capture.kind == "conversion":
            raise SkipRecord("conversion", detail=f"text without markup ({capture.content_type})")
        if capture.kind not in ("response", "resource", "revisit"):
            raise LeftOut(f"{capture.kind} record")
        is_http = (capture.url or "").startswith(("http:", "https:")) and capture.kind != "resource"
        if not is_http and capture.kind != "resource":
            raise LeftOut("not HTTP")
        self.conditions.check_address(capture.url)
        if capture.block is None:
            self._check_type(media_type(capture.payload_type)[0])
            raise SkipRecord("too-large", detail=f"a record of {capture.length:,} bytes")
        if capture.kind == "revisit":
            return self._revisit(capture)
        response = parse_response(capture.block) if is_http else HttpResponse(None, (), 0)
        return self._response(capture, response, response.get("content-type") if is_http else capture.content_type)

    @cached_property
    def _second_file(self) -> ArchiveFile:
        return self._reopened()

    def _check_type(self, kind: str | None) -> None:
        """Raise LeftOut for a media type that is neither wanted nor a style sheet."""
        if kind is None or kind in self.conditions.types or kind == CSS_TYPE:
            return
        if kind in HTML_TYPES:
            raise LeftOut(f"media type {kind}")
        family = kind.partition("/")[0]
        raise LeftOut(f"not HTML ({family if family in FAMILIES else 'other'})")

    def _response(
        self, capture: Capture, response: HttpResponse, header: str | None
    ) -> ArchivedPage | ArchivedSheet:  # fmt: skip
        assert capture.block is not None
        kind, charset = media_type(header)
        kind = kind or media_type(capture.payload_type)[0]
        self._check_type(kind)
        self.conditions.check_status(response.status)
        if capture.is_short:
            raise SkipRecord("truncated", detail=f"{len(capture.block):,} of {capture.length:,} bytes are in the file")
        body, is_cut = body_of(capture.block, response, max_bytes=self.conditions.max_bytes)
        if kind is None and not _LOOKS_LIKE_HTML.match(body, 0, 4096):
            raise LeftOut("no media type, not HTML by its looks")
        if kind == CSS_TYPE:
            columns = {"fetched_at": capture.at, "status": response.status, "content_type": kind, "charset": charset}
            return ArchivedSheet(body, capture.url or self.source, columns | {"source": self.source})
        self.originals.add(capture)
        return self._page(capture, response, body, kind, charset, is_cut=is_cut or capture.is_cut)

    def _revisit(self, revisit: Capture) -> ArchivedPage:
        """Return the page of a revisit: the headers of the revisit, where it has any, and the original's body."""
        assert revisit.block is not None
        own = parse_response(revisit.block) if revisit.block.strip() else None
        if own is not None:
            stated = media_type(own.get("content-type"))[0]
            if stated == CSS_TYPE:
                raise LeftOut("revisit of a style sheet")
            self._check_type(stated)
        original = self.originals.find(revisit, self._second_file, self.conditions.max_bytes)
        if original is None or original.block is None:
            raise SkipRecord("revisit", detail=f"the same bytes as {revisit.refers_to}")
        response = parse_response(original.block)
        body, is_cut = body_of(original.block, response, max_bytes=self.conditions.max_bytes)
        if own is not None and own.status != 304:  # "not modified" repeats few of the headers
            self.conditions.check_status(own.status)
            shown = own
        else:
            shown = response
        kind, charset = media_type(shown.get("content-type") or response.get("content-type"))
        return self._page(revisit, shown, body, kind or media_type(original.payload_type)[0], charset, is_cut=is_cut)

    def _page(
        self, capture: Capture, response: HttpResponse, body: bytes, kind: str | None, charset: str | None, *,
        is_cut: bool,
    ) -> ArchivedPage:  # fmt: skip
        record = f"{self.source}@{capture.place}"
        content_type = f"{kind or 'text/html'}; charset={charset}" if charset else kind
        if body:
            self.conditions.check_page(body, response.headers, content_type)
        columns = {
            "fetched_at": capture.at, "status": response.status, "content_type": kind, "charset": charset,
            "source": self.source, "is_truncated": is_cut,
            "headers": [{"name": name, "value": value} for name, value in response.headers] or None,
        }  # fmt: skip
        visit = (capture.at - EPOCH) // dt.timedelta(microseconds=1) if capture.at else 0
        return ArchivedPage(record, body, capture.url, None if capture.url else record, visit, columns)
