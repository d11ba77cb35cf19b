"""HTTP responses in archives: status, headers, and the body with its encodings undone."""

import io
import re
import zlib
from dataclasses import dataclass

from parcels.errors import SkipRecord

MAX_HEADER_BYTES = 1 << 20
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?\s+(\d{3})\b")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_CHUNK = re.compile(rb"\s*([0-9A-Fa-f]{1,16})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.I)
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[!?a-zA-Z]|$)")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status line and headers of an HTTP response, and the offset of its body."""

    status: int | None
    headers: tuple[tuple[str, str], ...]
    body_at: int

    def get(self, name: str) -> str | None:
        """Return the last value of a header, by its name in lower case."""
        values = [value for key, value in self.headers if key.lower() == name]
        return values[-1] if values else None


def parse_response(block: bytes) -> HttpResponse:
    r"""Parse status and headers; lines may end in LF alone, as in some old archives.

    >>> parse_response(b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>").headers
    (('Content-Type', 'text/html'),)
    """
    status = _STATUS.match(block)
    if not status:
        raise SkipRecord("no-http-status", detail=repr(block[:40]))
    end = _HEADER_END.search(block, 0, MAX_HEADER_BYTES)
    lines = _text(block[: end.start() if end else MAX_HEADER_BYTES]).replace("\r\n", "\n").split("\n")
    headers: list[tuple[str, str]] = []
    for line in lines[1:]:
        if line[:1] in (" ", "\t") and headers:  # a folded line
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
        elif ":" in line:
            name, _, value = line.partition(":")
            headers.append((name.strip(), value.strip()))
    return HttpResponse(int(status[1]), tuple(headers), end.end() if end else len(block))


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def media_type(header: str | None) -> tuple[str | None, str | None]:
    """Return media type and charset of a Content-Type header, in lower case.

    >>> media_type('Text/HTML; Charset="UTF-8"'), media_type(""), media_type(None)
    (('text/html', 'utf-8'), (None, None), (None, None))
    """
    if not header:
        return None, None
    charset = _CHARSET.search(header)
    return header.partition(";")[0].partition(",")[0].strip().lower() or None, charset[1].lower() if charset else None


def body_of(block: bytes, response: HttpResponse, *, max_bytes: int) -> tuple[bytes, bool]:
    """Return the body with transfer and content encoding undone, and whether its end is missing.

    Archives often keep the header of an encoding that they have undone themselves. So a body that is not in the
    declared encoding, but looks like markup or text, is taken unchanged.
    """
    body, is_cut = block[response.body_at :], False
    if "chunked" in (response.get("transfer-encoding") or "").lower():
        body, is_cut = _without_chunks(body)
    encodings = re.split(r"[\s,]+", (response.get("content-encoding") or "").lower().strip())
    for encoding in reversed(encodings):
        body, is_short = _decoded(body, encoding, max_bytes)
        is_cut = is_cut or is_short
    if len(body) > max_bytes:
        raise SkipRecord("too-large", detail=f"more than {max_bytes:,} bytes")
    return body, is_cut


def _without_chunks(body: bytes) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    at = 0
    while line := _CHUNK.match(body, at):
        size = int(line[1], 16)
        if size == 0:
            return b"".join(parts), False
        parts.append(body[line.end() : line.end() + size])
        at = line.end() + size
        if at > len(body):
            return b"".join(parts), True
    if not parts:
        return body, False  # already decoded
    return b"".join(parts), True


def _decoded(body: bytes, encoding: str, max_bytes: int) -> tuple[bytes, bool]:
    if encoding in ("", "identity", "utf-8", "none") or _MARKUP.match(body):
        return body, False
    try:
        if encoding in ("gzip", "x-gzip"):
            return _inflate(body, 31, max_bytes) if body.startswith(_GZIP) else _unchanged(body, encoding)
        if encoding == "deflate":
            is_zlib = body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0
            return _inflate(body, 15 if is_zlib else -15, max_bytes)
        if encoding in ("br", "zstd"):
            return _streamed(body, encoding, max_bytes)
    except (zlib.error, OSError) as error:
        return _unchanged(body, encoding, error)
    return _unchanged(body, encoding)


def _inflate(body: bytes, window: int, max_bytes: int) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    room = max_bytes
    while body:
        stream = zlib.decompressobj(window)
        parts.append(stream.decompress(body, room + 1))
        room -= len(parts[-1])
        if room < 0:
            raise SkipRecord("too-large", detail=f"more than {max_bytes:,} bytes when unpacked")
        if not stream.eof:
            return b"".join(parts), True
        body = stream.unused_data if stream.unused_data.startswith(_GZIP) else b""
    return b"".join(parts), False


def _streamed(body: bytes, encoding: str, max_bytes: int) -> tuple[bytes, bool]:
    from fastwarc.stream_io import BrotliReader, ZstdReader

    reader = (BrotliReader if encoding == "br" else ZstdReader)(io.BytesIO(body))
    out = bytes(reader.read(max_bytes + 1))
    if len(out) > max_bytes:
        raise SkipRecord("too-large", detail=f"more than {max_bytes:,} bytes when unpacked")
    return out, False


def _unchanged(body: bytes, encoding: str, error: Exception | None = None) -> tuple[bytes, bool]:
    if not _CONTROL.search(body, 0, 1000):
        return body, False
    raise SkipRecord("undecodable", detail=f"content encoding {encoding}" + (f": {error}" if error else "")) from error
