"""Repair markup that lxml's parser mishandles. Bytes in, bytes out."""

import re
from collections.abc import Iterator

from parcels.scan import find

_LONG_TAG = 50_000  # bytes without `>`: only then are a tag's attributes counted
_TAG = re.compile(rb"<[a-zA-Z][\w:-]*[\s/]")
_ATTRIBUTE = re.compile(rb"(?:[^\s\"']|\"[^\"]*\"|'[^']*')+")
_CLOSING_PAGE = re.compile(rb"</(?:html|body)\s*>", re.I)
_MORE = re.compile(rb"<(?!/?(?:html|body)\b)[a-z/]", re.I)
_OPEN_TITLE = re.compile(rb"(<(title|textarea)\b[^>]*>[^<]*+)(?!</(?:title|textarea)[\s/>])", re.I)


def without_early_end(utf8: bytes) -> bytes:
    """Remove `</body>` and `</html>` if markup follows them, since the parser would drop it.

    Pages put together from parts have whole documents inside them; browsers go on after the first one's end.

    >>> without_early_end(b"<html>one</html><p>two")
    b'<html>one<p>two'
    """
    end = find(utf8, b"</html", 0)
    end = find(utf8, b"</HTML", 0) if end < 0 else end
    if end < 0 or not _MORE.search(utf8, end + len("</html")):
        return utf8
    return _CLOSING_PAGE.sub(b"", utf8)


def without_surplus_attributes(utf8: bytes, most: int) -> bytes:
    """Limit the attributes per tag, since the parser's time grows with the square of their number.

    >>> len(without_surplus_attributes(b"<p " + b"x " * 30_000 + b">", most=100))
    204
    """
    parts, done = [], 0
    for start, end in _long_stretches(utf8):
        limit = end - _LONG_TAG - 1  # a name that ends after this belongs to a shorter tag
        begin = utf8.find(b"<", start, limit) if start < limit else -1  # most stretches are scripts without any
        tag = _TAG.search(utf8, begin, limit) if begin >= 0 else None
        if tag is None:
            continue
        for number, attribute in enumerate(_ATTRIBUTE.finditer(utf8, tag.end(), end), 1):
            if number == most:
                parts += [utf8[done : attribute.end()], b" "]
                done = end
                break
    return b"".join([*parts, utf8[done:]]) if parts else utf8


def with_closed_text(utf8: bytes) -> bytes:
    """Close an open comment, title or textarea, which would swallow the rest of the page.

    A comment that is never closed ends at the first `>`, as in old browsers; a title or text field at the next tag.

    >>> with_closed_text(b"<title>News<p>one<!-- note ><p>two")
    b'<title>News</title><p>one<!-- note --><p>two'
    >>> with_closed_text(b"<title>News</titavaScript><p>one")
    b'<title>News</title></titavaScript><p>one'
    """
    utf8 = _OPEN_TITLE.sub(_close_title, utf8)
    at = utf8.find(b"<!--", utf8.rfind(b"-->") + 1)
    while at >= 0:
        end = utf8.find(b">", at)
        if end < 0:
            return utf8
        utf8 = utf8[:end] + b"--" + utf8[end:]
        at = utf8.find(b"<!--", end)
    return utf8


def _close_title(match: re.Match[bytes]) -> bytes:
    return match.group(1) + b"</" + match.group(2) + b">"


def _long_stretches(utf8: bytes) -> Iterator[tuple[int, int]]:
    """Yield the ranges in which no `>` occurs for a long stretch."""
    window, at = _LONG_TAG // 2, 0
    while at < len(utf8):
        if utf8.find(b">", at, at + window) >= 0:
            at += window
            continue
        start, end = utf8.rfind(b">", 0, at) + 1, utf8.find(b">", at)
        end = len(utf8) if end < 0 else end
        yield start, end
        at = max(end, at + window)
