"""Looking through a page's bytes and texts. Compiled (parcels/scan_native.pyx) where that could be; same results."""

import re
from collections.abc import Callable
from itertools import islice

from parcels.compiled import loaded

_native = loaded("parcels.scan_native")
_TAG_START = re.compile(rb"<[a-zA-Z]")
CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))  # that text does not have


def fold(text: str) -> str:
    r"""Text with every run of white space as one blank, none at the ends.

    >>> fold("  Two\n\t words ")
    'Two words'
    """
    return " ".join(text.split())


quick_fold: Callable[[str], str] = fold if _native is None else _native.fold  # the same


def find(data: bytes, wanted: bytes, rare: int) -> int:
    """Where the bytes stand first, or -1. The number is the place in them of the one that is rarest in a page.

    >>> find(b"<html>...</html>", b"</html", 0), find(b"<p>", b"</html", 0)
    (9, -1)
    """
    return data.find(wanted) if _native is None else int(_native.find(data, wanted, rare))


def find_small(data: bytes, wanted: bytes, start: int) -> int:
    """Where the bytes stand first from a place on, their letters large or small, or -1. The wanted ones are small.

    >>> find_small(b"<p><META><meta>", b"<meta", 0), find_small(b"<p><META><meta>", b"<meta", 4)
    (3, 9)
    """
    return data.lower().find(wanted, start) if _native is None else int(_native.find_small(data, wanted, start))


def tag_count(data: bytes, most: int) -> int:
    """How many tags are opened: `<` followed by a letter. No more than so many are counted.

    >>> tag_count(b"<p>1 < 2<b></b>", 9), tag_count(b"<p><p><p>", 2)
    (2, 2)
    """
    if _native is not None:
        return int(_native.tag_count(data, most))
    return sum(1 for _ in islice(_TAG_START.finditer(data), most))


def control_count(data: bytes, size: int) -> int:
    r"""How many of the first bytes are control characters that text does not have.

    >>> control_count(b"a\tb\0c\0", 5)
    1
    """
    if _native is not None:
        return int(_native.control_count(data, size))
    head = data[:size]
    return len(head) - len(head.translate(None, CONTROLS))


def is_utf8(data: bytes) -> bool:
    r"""Whether the bytes are UTF-8, without decoding them.

    >>> is_utf8("caf\u00e9".encode()), is_utf8(b"caf\xe9")
    (True, False)
    """
    if _native is not None:
        return bool(_native.is_utf8(data))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
