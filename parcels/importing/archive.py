"""Records of web archives: WARC (plain, gzip, zstd) by fastwarc, ARC by parcels.importing.arc.

A damaged part is reported once. Reading continues at the next record: at the next gzip or zstd magic number in a
compressed file, at the next line that starts a record in a plain one.
"""

import datetime as dt
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from parcels.importing.opening import ArchiveFile, ArchiveSource, open_archive

GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
HEADER_ROOM = 1 << 20  # of HTTP headers, beside the limit for a page
_WARC_LINE = re.compile(rb"\n(WARC/[01]\.\d+[ \t]*\r?\n)")
_ODD_DATE = re.compile(r"(\d{4})-\d\d-(\d{3})T(\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)")


@dataclass(frozen=True, slots=True)
class Capture:
    """One record of an archive."""

    kind: str  # response, resource, revisit, conversion, request, ... ; ARC knows responses only
    url: str | None
    at: dt.datetime | None
    content_type: str | None  # of the block
    payload_type: str | None  # of the body, if the archive has it
    block: bytes | None  # None if it was not read: not needed, or too long
    place: int  # offset of the record in the file
    length: int | None  # of the block, as stated
    refers_to: str | None = None  # of a revisit, for messages
    is_cut: bool = False  # the archive marks the record as truncated
    record_id: str | None = None
    digest: str | None = None  # of the payload, as the archive states it
    original: tuple[str | None, dt.datetime | None] | None = None  # address and time of what a revisit refers to

    @property
    def is_short(self) -> bool:
        """Return True if the file ends before the block does."""
        return self.block is not None and self.length is not None and len(self.block) < self.length


@dataclass(frozen=True, slots=True)
class Damage:
    """An unreadable part of an archive."""

    place: int
    reason: str
    detail: str
    url: str | None = None


WANTED = frozenset(["response", "resource", "revisit"])


def read_archive(source: ArchiveSource, *, max_bytes: int) -> Iterator[Capture | Damage]:
    """Yield every record of an archive, in order. A file that cannot be read is one Damage."""
    try:
        with open_archive(source) as file:
            yield from read_records(file, max_bytes=max_bytes)
    except OSError as error:
        yield Damage(0, "unreadable", f"{source.name}: {error.strerror or error}")


def read_records(file: ArchiveFile, *, max_bytes: int, begin: int = 0) -> Iterator[Capture | Damage]:
    """Yield the records of a WARC or ARC file from the one that begins at `begin`."""
    from parcels.importing.arc import is_arc, read_arc

    if not len(file):
        yield Damage(0, "empty-file", "no bytes")
    elif is_arc(file):
        yield from read_arc(file, max_bytes=max_bytes + HEADER_ROOM, begin=begin)
    else:
        yield from _read_warc(file, max_bytes=max_bytes + HEADER_ROOM, begin=begin)


def _read_warc(file: ArchiveFile, *, max_bytes: int, begin: int) -> Iterator[Capture | Damage]:
    at: int | None = begin
    damage: Damage | None = None
    is_loose = _has_bare_line_ends(file)
    while at is not None:
        reader = _Reader(file, at, max_bytes, is_loose=is_loose)
        for capture in reader:
            if damage:
                yield damage
                damage = None
            yield capture
        if reader.error is None:
            break
        if damage is None:
            damage = Damage(reader.place, reader.reason, reader.error, reader.url)
        at = next_record(file, max(reader.place, at) + 1)
    if damage:
        yield damage


def _has_bare_line_ends(data: ArchiveFile) -> bool:
    """Return whether lines end in LF alone; fastwarc's loose mode reads those, but ignores damage silently."""
    start = data[:4096]
    if start.startswith(GZIP):
        try:
            start = zlib.decompressobj(31).decompress(start, 4096)
        except zlib.error:
            return False
    return start.startswith(b"WARC/") and b"\n" in start and b"\r\n" not in start


class _Reader:
    """Iterates over the records from one position on, up to the end or the first unreadable record."""

    def __init__(self, file: Any, at: int, max_bytes: int, *, is_loose: bool):
        self.place, self.max_bytes = at, max_bytes
        self.error: str | None = None
        self.url: str | None = None
        self.reason = "not-an-archive" if at == 0 else "corrupt"
        file.seek(at)
        self._file, self._is_loose = file, is_loose

    def __iter__(self) -> Iterator[Capture]:
        from fastwarc.warc import ArchiveIterator

        try:
            records = iter(ArchiveIterator(self._file, parse_http=False, quirks_mode=self._is_loose))
            while (record := next(records, None)) is not None:
                self.place, self.url = record.stream_pos, record.headers.get("WARC-Target-URI")
                self.reason = "corrupt"
                capture = self._capture(record)
                self.url = None
                yield capture
        except OSError as error:
            self.error = str(error)

    def _capture(self, record: Any) -> Capture:
        headers = record.headers
        stated = (headers.get("Content-Length") or "").strip()
        length = int(stated) if stated.isdecimal() and len(stated) < 20 else None
        kind = (headers.get("WARC-Type") or "unknown").strip().lower()
        is_wanted = kind in WANTED and (length is None or length <= self.max_bytes)
        block = bytes(record.reader.read(self.max_bytes)) if is_wanted else None
        original = headers.get("WARC-Refers-To-Target-URI"), date_of(headers.get("WARC-Refers-To-Date"))
        return Capture(
            kind, _address(headers.get("WARC-Target-URI")), date_of(headers.get("WARC-Date")),
            headers.get("Content-Type"), headers.get("WARC-Identified-Payload-Type"), block, record.stream_pos, length,
            f"{headers.get('WARC-Refers-To-Target-URI')} at {headers.get('WARC-Refers-To-Date')}",
            is_cut="WARC-Truncated" in headers, record_id=headers.get("WARC-Record-ID"),
            digest=headers.get("WARC-Payload-Digest"), original=original if kind == "revisit" else None,
        )  # fmt: skip


def _address(header: str | None) -> str | None:
    """Return a WARC-Target-URI without the angle brackets of some writers."""
    return (header or "").strip().removeprefix("<").removesuffix(">") or None


def next_record(data: ArchiveFile, after: int) -> int | None:
    """Return where the next record may begin: at a magic number in a compressed file, at a line in a plain one."""
    for magic in (GZIP, ZSTD):
        if data[: len(magic)] == magic:
            return data.find(magic, after)
    return data.search(_WARC_LINE, after, 1)


def date_of(text: str | None) -> dt.datetime | None:
    """Return a WARC-Date as a time; also in ClueWeb09's form, with the day of the year.

    >>> date_of("2014-01-26T20:06:24.5Z"), date_of("2008-10-294T05:21:46-0700"), date_of("soon")
    (datetime.datetime(2014, 1, 26, 20, 6, 24, 500000, tzinfo=datetime.timezone.utc),
     datetime.datetime(2008, 10, 20, 12, 21, 46, tzinfo=datetime.timezone.utc), None)
    """
    text = (text or "").strip()
    try:
        odd = _ODD_DATE.fullmatch(text)
        if odd:
            day = dt.datetime.strptime(f"{odd[1]} {odd[2]} {odd[3]}{odd[4]}{odd[5]}", "%Y %j %H:%M:%S%z")
            return day.astimezone(dt.UTC)
        when = dt.datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text))
        return when.replace(tzinfo=when.tzinfo or dt.UTC).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
