"""Detect the kind of a body or file (feed, site map, list, dump, page) by its first bytes, and read its seeds."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from crawler.fetch.decompress import PIECE_BYTES, unpacked
from crawler.seeds.dmoz import read_content
from crawler.seeds.feeds import read_feed, read_opml
from crawler.seeds.lists import looks_like_list, read_list
from crawler.seeds.markup import charset_of, tokens
from crawler.seeds.seed import Seed, seed
from crawler.seeds.sitemaps import read_sitemap
from parcels.importing.http import media_type

MAX_BYTES = 50_000_000  # of a fetched body, unpacked: sitemaps.org's limit is 50 MiB
MAX_SEEDS = 100_000  # of a fetched body
LOOK_CHARS = 8192
_ROOT = re.compile(r"<(?!\?|!)([\w:.-]+)")
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.S)
_HTML_TAGS = frozenset(
    ["html", "head", "body", "title", "meta", "div", "table", "h1", "p", "a", "center", "link", "dl"]
)


class Document(NamedTuple):
    """A document's kind and seeds. Kinds: feed, opml, sitemap, sitemap-index, news-sitemap, dmoz, list, html, other."""

    kind: str
    seeds: list[Seed]


def read_document(
    body: bytes, *, url: str, content_type: str | None = None, left_out: Counter[str] | None = None,
    max_bytes: int = MAX_BYTES, max_seeds: int = MAX_SEEDS,
) -> Document:  # fmt: skip
    """Return the seeds of a fetched body; raise SkipRecord for a decompression bomb.

    >>> read_document(b"<urlset><url><loc>/a</loc></url></urlset>", url="http://a.example/map.xml").kind
    'sitemap'
    """
    kind, seeds = open_document(
        (body,), url=url, charset=media_type(content_type)[1], left_out=left_out, max_bytes=max_bytes
    )
    if kind in ("html", "other"):
        return Document(kind, [])
    first_seeds = list(islice(seeds, max_seeds))
    if left_out is not None and len(first_seeds) == max_seeds and next(seeds, None) is not None:
        left_out["past the limit of a file"] += 1
    return Document(kind, first_seeds)


def open_document(
    chunks: Iterable[bytes], *, url: str | None, charset: str | None = None, left_out: Counter[str] | None = None,
    max_bytes: int,
) -> tuple[str, Iterator[Seed]]:  # fmt: skip
    """Return the kind of a stream and its seeds, which are read on demand; packed streams are unpacked."""
    stream = _pieces(unpacked(chunks, max_bytes=max_bytes))
    first = b""
    while len(first) < LOOK_CHARS and (more := next(stream, b"")):
        first += more
    kind = kind_of(first, charset)
    whole = chain((first,), stream)
    if kind in ("html", "other"):
        return kind, links_of(whole, charset=charset, left_out=left_out)
    if kind in ("dmoz", "list"):
        without_base = read_content if kind == "dmoz" else read_list
        return kind, without_base(whole, charset=charset, left_out=left_out)
    reader: Callable[..., Iterator[Seed]] = {"feed": read_feed, "opml": read_opml}.get(kind, read_sitemap)
    return kind, reader(whole, url=url, charset=charset, left_out=left_out)


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces of at most PIECE_BYTES, so that a complete body is also read piece by piece."""
    for chunk in chunks:
        for at in range(0, len(chunk), PIECE_BYTES):
            yield chunk[at : at + PIECE_BYTES]


def kind_of(first: bytes, charset: str | None = None) -> str:
    """Return the kind of a stream by its first bytes; the Content-Type of servers is wrong too often.

    >>> kind_of(b" <?xml version='1.0'?><!-- us --><rss>"), kind_of(b"http://a.example/"), kind_of(b"<!doctype html>")
    ('feed', 'list', 'html')
    """
    text = first.decode(charset_of(first, charset), "replace")[:LOOK_CHARS].lstrip("\ufeff \t\r\n").lower()
    if not text.startswith("<"):
        return "list" if "\0" not in text and looks_like_list(text) else "other"
    if text.startswith("<!doctype html"):
        return "html"
    bare = _COMMENT.sub("", text)
    match = _ROOT.search(bare)
    root = match[1].rpartition(":")[2] if match else ""
    if root in ("rss", "feed"):
        return "feed"
    if root == "rdf":
        is_dmoz = "dmoz.org" in bare or "<externalpage" in bare or "<topic" in bare
        return "dmoz" if is_dmoz else "feed"
    if root in ("externalpage", "topic"):
        return "dmoz"
    if root == "urlset":
        return "news-sitemap" if "sitemap-news" in bare or "<news:" in bare else "sitemap"
    if root == "sitemapindex":
        return "sitemap-index"
    if root in ("opml", "outline"):
        return "opml"
    return "html" if root in _HTML_TAGS else "other"


def links_of(
    chunks: Iterable[bytes], *, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Seed]:
    """Yield the absolute links of an HTML file, such as a browser's bookmarks."""
    opened: tuple[str, str] | None = None
    for token in tokens(chunks, charset=charset):
        if token.kind == "start" and token.name == "a" and token.attributes.get("href", "").lower().startswith("http"):
            opened = token.attributes["href"], ""
        elif opened and token.kind == "text":
            opened = opened[0], opened[1] + token.name
        elif opened and token.kind == "end" and token.name == "a":
            link = seed(opened[0], title=opened[1], left_out=left_out)
            opened = None
            if link is not None:
                yield link
