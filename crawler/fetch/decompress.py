"""Decompress gzip, deflate, brotli and zstd piece by piece, with a limit on the unpacked size.

Only one piece of `PIECE_BYTES` is in memory: a body of a kilobyte that unpacks to a gigabyte costs the limit at most.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from parcels.errors import SkipRecord

PIECE_BYTES = 1 << 16
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

Step = Callable[[bytes], Iterator[bytes]]  # packed bytes in, pieces out


def unpacked(chunks: Iterable[bytes], *, encoding: str | None = None, max_bytes: int) -> Iterator[bytes]:
    """Yield the unpacked bytes of a stream in pieces; raise SkipRecord past `max_bytes` and for damaged data.

    Without an encoding the first bytes decide: gzip and zstd are unpacked, everything else passes unchanged. Of a
    truncated stream the bytes before its end are yielded: half a site map is better than none.

    >>> import gzip
    >>> b"".join(unpacked([gzip.compress(b"many words")], max_bytes=100))
    b'many words'
    >>> list(unpacked([gzip.compress(bytes(1000))], max_bytes=100))
    Traceback (most recent call last):
    parcels.errors.SkipRecord: too-large (more than 100 bytes when unpacked)
    """
    stream = iter(chunks)
    if encoding is None:
        first = next(stream, b"")
        while len(first) < len(_ZSTD) and (more := next(stream, b"")):
            first += more
        encoding = "gzip" if first.startswith(_GZIP) else "zstd" if first.startswith(_ZSTD) else "identity"
        stream = _with_first(first, stream)
    step = _step(encoding.strip().lower())
    size = 0
    try:
        for chunk in stream:
            for piece in step(chunk):
                size += len(piece)
                if size > max_bytes:
                    raise SkipRecord("too-large", detail=f"more than {max_bytes:,} bytes when unpacked")
                if piece:
                    yield piece
    except _errors() as error:
        raise SkipRecord("undecodable", detail=f"not {encoding}: {error}") from error


def unpack(data: bytes, *, encoding: str | None = None, max_bytes: int) -> bytes:
    """Return the unpacked bytes of a complete body; see `unpacked`."""
    return b"".join(unpacked((data,), encoding=encoding, max_bytes=max_bytes))


def _with_first(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _step(encoding: str) -> Step:
    if encoding in ("", "identity", "none"):
        return _same
    if encoding in ("gzip", "x-gzip"):
        return _Inflate(31).feed
    if encoding == "deflate":
        return _Deflate().feed
    if encoding == "br":
        return _brotli()
    if encoding == "zstd":
        return _Zstd().feed
    raise SkipRecord("undecodable", detail=f"unknown content encoding {encoding!r}")


def _same(data: bytes) -> Iterator[bytes]:
    yield data


class _Inflate:
    """A decompressor of zlib streams, several of them in a row: a gzip file may hold more than one."""

    def __init__(self, window: int):
        self._window = window
        self._stream = zlib.decompressobj(window)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._stream.eof:
                if not data.startswith(_GZIP):  # padding after the last stream
                    return
                self._stream = zlib.decompressobj(self._window)
            yield self._stream.decompress(data, PIECE_BYTES)
            data = self._stream.unused_data if self._stream.eof else self._stream.unconsumed_tail


class _Deflate:
    """A decompressor of `deflate`: zlib format, or the raw one that some servers send; the first two bytes decide."""

    def __init__(self) -> None:
        self._inflate: _Inflate | None = None
        self._head = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inflate is None:
            self._head += data
            if len(self._head) < 2:
                return
            is_zlib = self._head[0] & 15 == 8 and int.from_bytes(self._head[:2]) % 31 == 0
            self._inflate, data = _Inflate(15 if is_zlib else -15), self._head
        yield from self._inflate.feed(data)


def _brotli() -> Step:
    import brotli

    stream = brotli.Decompressor()

    def feed(data: bytes) -> Iterator[bytes]:
        piece = stream.process(data, output_buffer_limit=PIECE_BYTES)
        while piece:
            yield piece
            piece = b"" if stream.is_finished() else stream.process(b"", output_buffer_limit=PIECE_BYTES)

    return feed


class _Zstd:
    """A decompressor of zstd frames, several of them in a row."""

    def __init__(self) -> None:
        self._stream = _zstd().ZstdDecompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data or not (self._stream.needs_input or self._stream.eof):
            if self._stream.eof:
                self._stream = _zstd().ZstdDecompressor()
            yield self._stream.decompress(data, PIECE_BYTES)
            data = self._stream.unused_data if self._stream.eof else b""


def _zstd() -> Any:
    try:
        from compression import zstd
    except ImportError:  # before Python 3.14
        from backports import zstd
    return zstd


def _errors() -> tuple[type[Exception], ...]:
    import brotli

    return zlib.error, EOFError, brotli.error, _zstd().ZstdError
