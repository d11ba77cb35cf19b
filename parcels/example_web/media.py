"""Make small valid media: flat GIFs, striped PNGs, plain SVGs, a silent WAV. No binary file is shipped."""

import hashlib
import struct
import zlib
from functools import lru_cache

CODES_BEFORE_CLEAR = 120  # eight-bit LZW codes stay eight bits wide when the table is cleared this often


def gif(width: int, height: int, colour: str, *, is_transparent: bool = False) -> bytes:
    """Return a GIF of one colour.

    >>> gif(1, 1, "ffffff")[:6]
    b'GIF89a'
    """
    palette = bytes.fromhex(colour) + bytes(127 * 3)
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF6, 0, 0) + palette
    control = b"\x21\xf9\x04" + bytes([1 if is_transparent else 0, 0, 0, 0, 0])
    left, codes = width * height, bytearray()
    while left > 0:
        run = min(left, CODES_BEFORE_CLEAR)
        codes += b"\x80" + bytes(run)
        left -= run
    codes.append(0x81)
    blocks = b"".join(bytes([len(part)]) + part for part in _parts(bytes(codes)))
    return head + control + b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x07" + blocks + b"\x00\x3b"


def _parts(data: bytes) -> list[bytes]:
    return [data[start : start + 255] for start in range(0, len(data), 255)]


@lru_cache(maxsize=64)
def png(width: int, height: int, seed: str) -> bytes:
    """Return a PNG of stripes whose colours depend on `seed`.

    >>> png(4, 3, "pier")[1:4]
    b'PNG'
    """
    shade = hashlib.sha256(seed.encode()).digest()
    palette = bytearray()
    for step in range(64):
        palette += bytes((shade[band] * (64 - step) + shade[band + 3] * step) // 64 for band in range(3))
    horizon = height * (30 + shade[6] % 40) // 100
    rows = bytearray()
    for y in range(height):
        step = y * 31 // max(horizon, 1) if y < horizon else 32 + (y - horizon) * 31 // max(height - horizon, 1)
        rows += b"\x00" + bytes([min(step, 63)]) * width
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes(palette)),
            (b"IDAT", zlib.compress(bytes(rows), 9)),
            (b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def svg(width: int, height: int, words: str, *, colour: str = "#123", ground: str = "none") -> str:
    """Return an SVG with a word mark."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="100%" height="100%" fill="{ground}"/>'
        f'<text x="4" y="{height * 3 // 4}" font-family="Georgia, serif" font-size="{height * 3 // 5}" '
        f'fill="{colour}">{words}</text></svg>'
    )


def wav() -> bytes:
    """Return a WAV with a twentieth of a second of silence.

    >>> wav()[:4], len(wav())
    (b'RIFF', 444)
    """
    data = b"\x80" * 400
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    return (
        b"RIFF"
        + struct.pack("<I", 36 + len(data))
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + b"data"
        + struct.pack("<I", len(data))
        + data
    )
