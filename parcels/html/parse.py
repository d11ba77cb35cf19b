"""Parse HTML with lxml in bounded time and memory."""

import time
from typing import Any

from lxml import etree

from parcels.errors import SkipRecord
from parcels.html.repair import without_early_end, without_surplus_attributes
from parcels.limits import DEFAULT_LIMITS, Limits
from parcels.scan import tag_count

FEED_BYTES = 65536
WHOLE_BYTES = 500_000  # up to here a page is parsed in one call: even the slowest markup stays under the time limit
# And up to here, where it has few tags for its size, as pages have that are mostly scripts: many end tags are slow.
SPARSE_BYTES, SPARSE_TAGS = 850_000, 30_000
# Public identifiers of doctypes that switch browsers to quirks mode: HTML standard, section 13.2.6.4.1 (abridged).
_QUIRKY_PUBLIC = (
    "-//w3c//dtd html 3",
    "-//w3c//dtd html 4.0 transitional",
    "-//w3c//dtd html 4.0 frameset",
    "-//ietf//dtd html",
    "-//w3o//dtd",
    "-//netscape",
    "-//microsoft",
)
_QUIRKY_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 transitional", "-//w3c//dtd html 4.01 frameset")


def parse(utf8: bytes, *, limits: Limits = DEFAULT_LIMITS, where: str = "") -> etree._Element:
    """Return the root element of a page.

    >>> parse(b"<p>one<p>two").xpath("count(//p)")
    2.0
    """
    check_size(utf8, limits, where)
    utf8 = without_surplus_attributes(without_early_end(utf8), limits.max_attributes)
    # No table of ids: no element is looked up by its id.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)
    is_fed = len(utf8) > WHOLE_BYTES and (len(utf8) > SPARSE_BYTES or utf8.count(b"<") > SPARSE_TAGS)
    try:
        if not is_fed:
            root = etree.fromstring(utf8, parser)
        else:
            root = _feed(parser, utf8, limits, where)
    except etree.ParserError as error:
        raise SkipRecord("empty", where, str(error)) from error
    except etree.XMLSyntaxError as error:
        _refuse_deep(parser, where, is_fed=is_fed)
        raise SkipRecord("no-tree", where, str(error)[:200]) from error
    if root is None:
        raise SkipRecord("empty", where, "no element")
    _refuse_deep(parser, where, is_fed=is_fed)
    return root


def is_in_quirks_mode(root: etree._Element) -> bool:
    """Return whether browsers render the document of an element in quirks mode, by its doctype."""
    doctype: Any = root.getroottree().docinfo  # lxml-stubs lack some of its attributes
    public = (doctype.public_id or "").lower()
    if not doctype.doctype or public.startswith(_QUIRKY_PUBLIC):
        return True
    return public.startswith(_QUIRKY_WITHOUT_SYSTEM) and not doctype.system_url


def check_size(utf8: bytes, limits: Limits, where: str) -> None:
    """Raise SkipRecord for what the parser would take too long over."""
    if len(utf8) > limits.max_bytes:
        raise SkipRecord("too-large", where, f"{len(utf8):,} bytes, limit {limits.max_bytes:,}")
    # A tag takes at least two bytes; tags are counted only if there are enough `<`.
    is_suspect = len(utf8) > 2 * limits.max_tags and utf8.count(b"<") > limits.max_tags
    if is_suspect and tag_count(utf8, limits.max_tags + 1) > limits.max_tags:
        raise SkipRecord("too-many-tags", where, f"more than {limits.max_tags:,}")


def _feed(parser: etree.HTMLParser, utf8: bytes, limits: Limits, where: str) -> etree._Element:
    deadline = time.thread_time() + limits.seconds
    for start in range(0, len(utf8), FEED_BYTES):
        parser.feed(utf8[start : start + FEED_BYTES])
        if time.thread_time() > deadline:
            raise SkipRecord("too-slow", where, f"parsing took more than {limits.seconds:g} s")
    return parser.close()


def _refuse_deep(parser: etree.HTMLParser, where: str, *, is_fed: bool = False) -> None:
    """Raise SkipRecord if the parser stopped at its nesting limit: half a page must not look like a whole one."""
    logs = [parser.error_log]
    if is_fed:  # only then: reading this log prepares a parser for feeding
        logs.append(parser.feed_error_log)
    for entry in [log.last_error for log in logs]:
        if entry is not None and entry.type_name == "ERR_RESOURCE_LIMIT":
            raise SkipRecord("too-deep", where, entry.message.split(",")[0])
