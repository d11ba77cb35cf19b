"""Text to tree, by lxml, in bounded time and memory: what would make the parser slow is refused or stopped."""

import re
import time
from collections.abc import Iterator

from lxml import etree

from parcels.errors import SkipRecord
from parcels.limits import DEFAULT_LIMITS, Limits

FEED_BYTES = 65536
WHOLE_BYTES = 500_000  # up to here a page is parsed in one call: even the slowest markup stays under the time limit
_LONG_TAG = 50_000  # bytes without `>`: only then are a tag's attributes counted
_TAG_START = re.compile(rb"<[a-zA-Z]")
_QUOTED = re.compile(rb"\"[^\"]*\"|'[^']*'")


def parse(utf8: bytes, *, limits: Limits = DEFAULT_LIMITS, where: str = "") -> etree._Element:
    """The root element of a page.

    >>> parse(b"<p>one<p>two").xpath("count(//p)")
    2.0
    """
    check_size(utf8, limits, where)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        if len(utf8) <= WHOLE_BYTES:
            root = etree.fromstring(utf8, parser)
        else:
            root = _feed(parser, utf8, limits, where)
    except etree.ParserError as error:
        raise SkipRecord("empty", where, str(error)) from error
    except etree.XMLSyntaxError as error:
        _refuse_deep(parser, where)
        raise SkipRecord("no-tree", where, str(error)[:200]) from error
    if root is None:
        raise SkipRecord("empty", where, "no element")
    _refuse_deep(parser, where)
    return root


def check_size(utf8: bytes, limits: Limits, where: str) -> None:
    """Raise SkipRecord for what the parser would take too long over."""
    if len(utf8) > limits.max_bytes:
        raise SkipRecord("too-large", where, f"{len(utf8):,} bytes, limit {limits.max_bytes:,}")
    if utf8.count(b"<") > limits.max_tags:
        tags = sum(1 for _ in _TAG_START.finditer(utf8))
        if tags > limits.max_tags:
            raise SkipRecord("too-many-tags", where, f"{tags:,} tags, limit {limits.max_tags:,}")
    for start, end in _long_stretches(utf8):
        opening = _TAG_START.search(utf8, start, end)
        if opening and end - opening.start() > _LONG_TAG:
            names = _QUOTED.sub(b" ", utf8[opening.start() : end]).replace(b"/", b" ").split()
            if len(names) > limits.max_attributes:
                many = f"{len(names):,} in one tag, limit {limits.max_attributes:,}"
                raise SkipRecord("too-many-attributes", where, many)


def _long_stretches(utf8: bytes) -> Iterator[tuple[int, int]]:
    """Where no `>` stands for long: such a stretch holds at least one whole window, and few windows lack a `>`."""
    window, at = _LONG_TAG // 2, 0
    while at < len(utf8):
        if utf8.find(b">", at, at + window) >= 0:
            at += window
            continue
        start, end = utf8.rfind(b">", 0, at) + 1, utf8.find(b">", at)
        end = len(utf8) if end < 0 else end
        yield start, end
        at = max(end, at + window)


def _feed(parser: etree.HTMLParser, utf8: bytes, limits: Limits, where: str) -> etree._Element:
    deadline = time.monotonic() + limits.seconds
    for start in range(0, len(utf8), FEED_BYTES):
        parser.feed(utf8[start : start + FEED_BYTES])
        if time.monotonic() > deadline:
            raise SkipRecord("too-slow", where, f"parsing took more than {limits.seconds:g} s")
    return parser.close()


def _refuse_deep(parser: etree.HTMLParser, where: str) -> None:
    """The parser stops where elements are nested too deeply; half a page must not look like a whole one."""
    for entry in (parser.error_log.last_error, parser.feed_error_log.last_error):
        if entry is not None and entry.type_name == "ERR_RESOURCE_LIMIT":
            raise SkipRecord("too-deep", where, entry.message.split(",")[0])
