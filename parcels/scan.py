# cython: wraparound=False
"""Scans of a page's texts and bytes that Python's own methods are slow at; C types are declared in scan.pxd."""

import codecs
import re
from itertools import islice

ONES = 0x0101010101010101
HIGH_BITS = 0x8080808080808080
CHUNK = 1 << 14  # bytes that are decoded at once: their text stays in the processor's cache
_TAG_START = re.compile(rb"<[a-zA-Z]")


def fold(text: str) -> str:
    r"""Return text with every run of white space as one blank, and none at the ends.

    >>> fold("  Two\n\t words ")
    'Two words'
    """
    text = text.strip()
    was_blank = False
    for sign in text:
        is_blank = sign.isspace()
        if is_blank and (was_blank or sign != " "):
            return " ".join(text.split())
        was_blank = is_blank
    return text


def find(data: bytes, wanted: bytes, rare: int) -> int:
    """Return where the wanted bytes first occur, or -1; `rare` is the place in them of the byte that pages rarely have.

    Eight bytes are compared with the rare one at once, which is several times faster than bytes.find.

    >>> find(b"<html>...</html>", b"</html", 0), find(b"<p>", b"</html", 0)
    (9, -1)
    """
    if not 0 <= rare < len(wanted):
        raise ValueError(f"rare must be a place in {wanted!r}, got {rare}")
    size, whole = len(wanted), len(data) // 8
    octets, words = memoryview(data), memoryview(data)[: 8 * whole].cast("Q")
    sought, final, pattern = wanted[rare], wanted[size - 1], wanted[rare] * ONES
    for word in range(whole):
        rest = words[word] ^ pattern  # has a zero byte where the rare byte is
        if (rest - ONES) & ~rest & HIGH_BITS:
            for at in range(8 * word, 8 * word + 8):
                start = at - rare
                if octets[at] != sought or start < 0 or start + size > len(data) or octets[start + size - 1] != final:
                    continue
                if data.startswith(wanted, start):
                    return start
    return data.find(wanted, max(0, 8 * whole - size + 1))


def tag_count(data: bytes, most: int) -> int:
    """Return how many tags are opened (`<` followed by a letter), at most so many.

    >>> tag_count(b"<p>1 < 2<b></b>", 9), tag_count(b"<p><p><p>", 2)
    (2, 2)
    """
    return sum(1 for _ in islice(_TAG_START.finditer(data), most))


def is_utf8(data: bytes) -> bool:
    r"""Return whether the bytes are UTF-8, without keeping their text.

    >>> is_utf8("caf\u00e9".encode()), is_utf8(b"caf\xe9")
    (True, False)
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), CHUNK):
            decoder.decode(data[start : start + CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
