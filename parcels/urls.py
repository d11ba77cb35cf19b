"""Canonical addresses, and the ids derived from them.

Ids are strings of lower-case hex digits, which Spark, DuckDB and JSON all handle alike:

- `page_id`, `run_id`: 32 digits (128 bits). With 10^10 pages the odds that any two share an id are about 10^-19.
- `block_id`: 46 digits: the page_id, 8 of the divider's name and version, 6 of the ordinal. It begins with its
  page's id and sorts in document order.
- `content_hash`: 32 digits. It finds equal bytes; it is no protection against forgery.
"""

import os
import re
import time
from functools import lru_cache

import ada_url
import xxhash

from parcels.session_ids import MAY_HOLD, kept_parameters, without_session

MAX_LENGTH = 8192  # servers accept request lines of at most 8 KB; longer addresses are data: URIs or traps

# Parameters that only track the origin of a click; the page is the same without them.
TRACKING = frozenset({
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "igshid", "mc_cid",
    "mc_eid", "_hsenc", "_hsmi",
})  # fmt: skip
TRACKING_PREFIX = "utm_"

# Addresses that are already canonical, if also _has_no_traps: no port, escape, or number as the last label.
_ORIGIN = re.compile(r"https?://(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?=/)", re.ASCII)
_QUERY = r"(?:\?[A-Za-z0-9_.~=-]+(?:&[A-Za-z0-9_.~=-]+)*)?"
_PLAIN = re.compile(rf"{_ORIGIN.pattern}[A-Za-z0-9/_.~-]+{_QUERY}", re.ASCII)
_PLAIN_PATH = re.compile(rf"/[A-Za-z0-9_~-][A-Za-z0-9/_.~-]*{_QUERY}", re.ASCII)
_TRACKED = re.compile(rf"[?&](?:{TRACKING_PREFIX}|(?:{'|'.join(sorted(TRACKING))})(?:[=&]|$))", re.I)
_NOT_THE_WEB = ("javascript:", "mailto:", "tel:", "data:")
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2}(?:[^/?#\\]*@)?(\[[^\]]*\]|[^/?#\\:]*)")
_SECOND_LEVEL = frozenset(
    ["ac", "co", "com", "edu", "gov", "go", "gob", "gouv", "net", "ne", "nom", "or", "org", "mil"]
)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~")  # RFC 3986, 2.3, but "."


def canonical(url: str, base: str | None = None) -> str | None:
    """Return the canonical form of an address, equal for all spellings; None if it is not an http(s) address.

    Host in lower case and ASCII, default port, fragment, tracking parameters and session ids dropped, dot segments
    resolved, escapes in capitals and only where needed. The order of a query is kept: servers may give it a meaning,
    and a sorted query is an address to which no page links.

    >>> canonical("HTTP://Bücher.Example:80/a/../b%7ec?utm_source=x&z=1&a=2#top")
    'http://xn--bcher-kva.example/b~c?z=1&a=2'
    >>> canonical("../c?d", "https://example.com/a/b")
    'https://example.com/c?d'
    >>> canonical("mailto:someone@example.com") is None
    True
    """
    if url[:4] == "http":
        if _PLAIN.fullmatch(url) and _has_no_traps(url):
            return url
    elif base and _PLAIN_PATH.fullmatch(url) and (origin := _ORIGIN.match(base)) and _has_no_traps(url + origin[0]):
        return origin[0] + url
    return _parsed(url, base)


def _has_no_traps(url: str) -> bool:
    if "/." in url or "xn--" in url or len(url) > MAX_LENGTH:
        return False
    return "?" not in url or not (_TRACKED.search(url) or MAY_HOLD.search(url))


def _parsed(url: str, base: str | None) -> str | None:
    """Return the canonical form by the steps of the standard: https://url.spec.whatwg.org."""
    if len(url) > MAX_LENGTH or url.startswith(_NOT_THE_WEB):
        return None
    try:
        href: str = ada_url.normalize_url(url) if base is None else ada_url.join_url(base, url)
    except ValueError:  # also a lone surrogate, which no address can hold
        return None
    if not href.startswith(("http://", "https://")) or len(href) > MAX_LENGTH:
        return None
    href = href.partition("#")[0]
    if "%" in href:
        href = _ESCAPE.sub(_escape, href)
    path, _, query = href.partition("?")
    if ";" in path or "%3" in path or "/(" in path:
        begin = path.index("/", len("https://"))
        bare = without_session(path[begin:])
        if bare != path[begin:]:  # what is left of a segment may be a dot
            path = ada_url.normalize_url(path[:begin] + bare)
    kept = kept_parameters([part for part in query.split("&") if part and not _is_tracking(part)])
    return f"{path}?{'&'.join(kept)}" if kept else path


def _escape(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def _is_tracking(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    return name in TRACKING or name.startswith(TRACKING_PREFIX)


def host_of(url: str) -> str | None:
    """Return the host of an address, in lower case, without port; None if it has none.

    >>> host_of("https://user@News.Example:8443/a?b"), host_of("http://[::1]:80/"), host_of("page:a")
    ('news.example', '[::1]', None)
    """
    match = _HOST.match(url)
    return (match[1].lower() or None) if match else None


@lru_cache(maxsize=20_000)
def registered(host: str) -> str:
    """Return the registered domain of a host, estimated from the shape of the name, without the public suffix list.

    >>> registered("www.news.example.co.uk:443"), registered("m.example.com"), registered("localhost")
    ('example.co.uk', 'example.com', 'localhost')
    """
    labels = host.rpartition("@")[2].partition(":")[0].strip(".").lower().split(".")
    is_double = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return ".".join(labels[-3:] if is_double else labels[-2:])


def page_id(url: str, crawl: str, visit: int) -> str:
    """Return the id of one visit to one address in one crawl; equal for all spellings of the address.

    >>> page_id("http://a.example", "news", 0) == page_id("http://A.example:80/#top", "news", 0)
    True
    >>> page_id("page:a", "news", 0)
    'c827768a633b4cca65111f936a63bc4c'
    """
    return xxhash.xxh3_128_hexdigest(f"{canonical(url) or url}\0{crawl}\0{visit}".encode("utf-8", "surrogatepass"))


def block_id(page: str, n: int, divider: str) -> str:
    """Return the id of the n-th block that a divider (`name@version`) makes of a page.

    >>> block_id("c827768a633b4cca65111f936a63bc4c", 17, "fine@1")
    'c827768a633b4cca65111f936a63bc4cab7a014e000011'
    """
    return f"{page}{xxhash.xxh32_hexdigest(divider.encode())}{n:06x}"


def content_hash(data: bytes) -> str:
    """Return a hash of the bytes.

    >>> content_hash(b"")
    '99aa06d3014798d86001c324468d497f'
    """
    return xxhash.xxh3_128_hexdigest(data)


def new_run_id() -> str:
    """Return a new id for a run: 12 digits of milliseconds, so that runs sort by start, and 20 random digits."""
    return f"{time.time_ns() // 1_000_000:012x}{os.urandom(10).hex()}"
