"""Reader for ARC 1.0 and 2.0, the Internet Archive's format before WARC: a header line per record, then its bytes."""

import datetime as dt
import re
import zlib
from collections.abc import Iterator

from parcels.importing.archive import GZIP, Capture, Damage
from parcels.importing.opening import ArchiveFile

CHUNK_BYTES = 1 << 16
MAX_LINE = 1 << 16
_LINE = re.compile(rb"(\S.*) (\S+) (\d{8,14}) (\S+)(?: \S+ \S+ \S+ \S+ \S+)?? (\d+)\s*")  # version 2 has five more
_NEXT = re.compile(rb"\n((?:https?|ftp|gopher|dns):\S+ \S+ \d{14} \S+ [^\n]*\d\n)")


def is_arc(data: ArchiveFile) -> bool:
    """Return whether a file is ARC, plain or gzip."""
    start = data[:CHUNK_BYTES]
    if start.startswith(GZIP):
        try:
            start = zlib.decompressobj(31).decompress(start, 64)
        except zlib.error:
            return False
    return start.startswith(b"filedesc:")


def read_arc(data: ArchiveFile, *, max_bytes: int, begin: int = 0) -> Iterator[Capture | Damage]:
    """Yield the records of an ARC file from the one that begins at `begin`.

    After damage, continue at the next gzip member or header line.
    """
    stream = _Stream(data, begin)
    while True:
        place = stream.place
        try:
            line = stream.line()
            if line is None:
                return
            if not line.strip():
                continue
            about = _LINE.fullmatch(line)
            if about:
                capture = _capture(about, stream, place, max_bytes)
        except zlib.error as error:
            yield Damage(place, "corrupt", str(error))
            stream.resume()
            continue
        if about:
            yield capture
        else:
            yield Damage(place, "corrupt", f"not the header line of a record: {line[:60]!r}")
            stream.resume()


def _capture(about: re.Match[bytes], stream: "_Stream", place: int, max_bytes: int) -> Capture:
    url, length = about[1].decode("utf-8", "replace"), int(about[5])
    is_wanted = url.startswith(("http:", "https:")) and length <= max_bytes
    block = stream.read(length, keep=is_wanted)
    kind = "response" if url.startswith(("http:", "https:")) else url.partition(":")[0]
    content_type = about[4].decode("latin-1")
    return Capture(kind, url, _date(about[3]), content_type, content_type, block, place, length)


def _date(digits: bytes) -> dt.datetime | None:
    try:
        return dt.datetime.strptime(digits.decode().ljust(14, "0"), "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC)
    except ValueError:
        return None


class _Stream:
    """The decompressed bytes of a file, with the position of the current gzip member (or byte)."""

    def __init__(self, data: ArchiveFile, begin: int):
        self._data, self._is_gzip = data, data[:3] == GZIP
        self._buffer = b""
        self._raw = begin  # the next byte of the file to take
        self._member = begin  # where the open gzip member begins
        self._inflate = zlib.decompressobj(31)
        self.place = begin

    def line(self) -> bytes | None:
        """Return one line with its end; None at the end of the file."""
        while b"\n" not in self._buffer and len(self._buffer) < MAX_LINE and self._fill():
            pass
        end = self._buffer.find(b"\n", 0, MAX_LINE) + 1 or min(len(self._buffer), MAX_LINE)
        return self._take(end) or None

    def read(self, length: int, *, keep: bool) -> bytes | None:
        """Read `length` bytes, fewer at the end of the file; without `keep` they are discarded."""
        parts, left = [], length
        while left and (self._buffer or self._fill()):
            part = self._take(min(left, len(self._buffer)))
            left -= len(part)
            if keep:
                parts.append(part)
        return b"".join(parts) if keep else None

    def resume(self) -> None:
        """Continue after damage."""
        if self._is_gzip:
            at = self._data.find(GZIP, self._member + 1)
        else:
            at = self._data.search(_NEXT, max(self.place - 1, 0), 1)
        self._buffer = b""
        self._raw = self._member = self.place = len(self._data) if at is None else at
        self._inflate = zlib.decompressobj(31)

    def _take(self, count: int) -> bytes:
        part, self._buffer = self._buffer[:count], self._buffer[count:]
        self.place = self._member if self._is_gzip else self.place + len(part)
        return part

    def _fill(self) -> bool:
        chunk = self._data[self._raw : self._raw + CHUNK_BYTES]
        if not chunk:
            return False
        if not self._is_gzip:
            self._buffer += chunk
            self._raw += len(chunk)
            return True
        if self._inflate.eof:
            self._inflate = zlib.decompressobj(31)
            self._member = self._raw
            if not self._buffer:
                self.place = self._raw
        self._buffer += self._inflate.decompress(chunk)
        self._raw += len(chunk) - len(self._inflate.unused_data)
        return True
