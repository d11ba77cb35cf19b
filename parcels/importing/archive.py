"""Records of web archives: WARC (plain, gzip, zstd) by fastwarc, ARC by parcels.importing.arc.

A damaged part is reported once. Reading continues at the next record: at the next gzip or zstd magic number in a
compressed file, at the next line that starts a record in a plain one.
"""

import datetime as dt
import mmap
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parcels.errors import InputMissing

GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.wet.gz", ".wet.gz", ".arc", ".arc.gz")
HEADER_ROOM = 1 << 20  # of HTTP headers, beside the limit for a page
_WARC_LINE = re.compile(rb"(?:^|\n)(WARC/[01]\.\d+[ \t]*\r?\n)")
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
    refers_to: str | None = None
    is_cut: bool = False  # the archive marks the record as truncated

    @property
    def is_short(self) -> bool:
        """True where the file ends before the block does."""
        return self.block is not None and self.length is not None and len(self.block) < self.length


@dataclass(frozen=True, slots=True)
class Damage:
    """An unreadable part of an archive."""

    place: int
    reason: str
    detail: str
    url: str | None = None


WANTED = frozenset(["response", "resource", "revisit"])


def archive_files(sources: list[str]) -> list[Path]:
    """Return the archives in the given files and folders."""
    files: list[Path] = []
    for source in sources:
        path = Path(source)
        if not path.exists():
            raise InputMissing(f"File or folder not found: {source}")
        inside = sorted(p for p in path.rglob("*") if p.name.lower().endswith(SUFFIXES)) if path.is_dir() else [path]
        if not inside:
            raise InputMissing(f"The folder {source} has no files that end in {', '.join(SUFFIXES)}.")
        files += inside
    return files


def read_archive(path: Path, *, max_bytes: int) -> Iterator[Capture | Damage]:
    """Yield every record of a WARC or ARC file, in order."""
    from parcels.importing.arc import is_arc, read_arc

    try:
        with path.open("rb") as file:
            if not path.stat().st_size:
                yield Damage(0, "empty-file", str(path))
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                if is_arc(data):
                    yield from read_arc(data, max_bytes=max_bytes + HEADER_ROOM)
                else:
                    yield from _read_warc(file, data, max_bytes=max_bytes + HEADER_ROOM)
    except OSError as error:
        yield Damage(0, "unreadable", f"{path}: {error.strerror or error}")


def _read_warc(file: Any, data: mmap.mmap, *, max_bytes: int) -> Iterator[Capture | Damage]:
    at: int | None = 0
    damage: Damage | None = None
    is_loose = _has_bare_line_ends(data)
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
        at = next_record(data, max(reader.place, at) + 1)
    if damage:
        yield damage


def _has_bare_line_ends(data: mmap.mmap) -> bool:
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
        stated = headers.get("Content-Length") or ""
        length = int(stated) if stated.strip().isdigit() else None
        kind = (headers.get("WARC-Type") or "unknown").strip().lower()
        is_wanted = kind in WANTED and (length is None or length <= self.max_bytes)
        block = bytes(record.reader.read(self.max_bytes)) if is_wanted else None
        url = (headers.get("WARC-Target-URI") or "").strip().removeprefix("<").removesuffix(">") or None
        refers_to = f"{headers.get('WARC-Refers-To-Target-URI')} at {headers.get('WARC-Refers-To-Date')}"
        return Capture(
            kind, url, date_of(headers.get("WARC-Date")), headers.get("Content-Type"),
            headers.get("WARC-Identified-Payload-Type"), block, record.stream_pos, length,
            refers_to if kind == "revisit" else None, is_cut="WARC-Truncated" in headers,
        )  # fmt: skip


def next_record(data: mmap.mmap, after: int) -> int | None:
    """Return where the next record may begin: at a magic number in a compressed file, at a line in a plain one."""
    for magic in (GZIP, ZSTD):
        if data[: len(magic)] == magic:
            at = data.find(magic, after)
            return at if at >= 0 else None
    line = _WARC_LINE.search(data, after)
    return line.start(1) if line else None


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
