"""Looking through a page's bytes and texts. Compiled (parcels/scan_native.pyx) where that could be; same results."""

from collections.abc import Callable

from parcels.compiled import loaded

_native = loaded("parcels.scan_native")


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
