"""The metadata of a page as claims: JSON-LD, OpenGraph and other meta tags, microdata.

A claim is a field, a value and its origin. Claims may contradict each other and the page; their users weigh them.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

import orjson
from lxml import etree

from parcels.html.leaves import fold
from parcels.html.page import Page
from parcels.html.tree import METADATA_TAGS, Attributes

MAX_JSON_BYTES = 2_000_000  # of one script
MAX_DEPTH = 12  # of nested JSON-LD
MAX_CLAIMS = 500  # of a page
MAX_CHARS = 20_000  # of one value


_NAME_ATTRIBUTES = ("property", "name", "http-equiv", "itemprop")
_CLAIM_TAGS = METADATA_TAGS - {"style", "base"}


class Claim(NamedTuple):
    """One statement of a page's metadata."""

    field: str  # title, published, modified, author, image, publisher, section, description, type, language, url, body
    value: str
    origin: str  # json-ld, opengraph, meta, microdata, link


# A field's names in JSON-LD and microdata (schema.org).
_PROPERTIES = {
    "headline": "title", "datePublished": "published", "dateCreated": "created", "dateModified": "modified",
    "author": "author", "creator": "author", "image": "image", "thumbnailUrl": "image", "publisher": "publisher",
    "sourceOrganization": "publisher", "provider": "publisher", "articleSection": "section",
    "description": "description", "articleBody": "body", "inLanguage": "language", "contentLocation": "place",
    "dateline": "dateline", "keywords": "keywords", "isAccessibleForFree": "free",
}  # fmt: skip
_CONTROLS = re.compile(r"[\x00-\x1f]+"), " "
_TRAILING_COMMAS = re.compile(r",\s*([}\]])"), r"\1"
_ARTICLE_TYPES = re.compile(r"Article|Posting|Report|Review|Recipe|WebPage|Product|Discussion|Question|Event|Video")
_META = {  # in lower case
    "og:title": "title", "twitter:title": "title", "dc.title": "title", "dcterms.title": "title", "title": "title",
    "parsely-title": "title", "sailthru.title": "title", "headline": "title",
    "article:published_time": "published", "article:published": "published", "og:published_time": "published",
    "datepublished": "published", "date": "published", "pubdate": "published", "publishdate": "published",
    "publish-date": "published", "publish_date": "published", "dc.date": "published", "dc.date.issued": "published",
    "dcterms.created": "published", "dcterms.date": "published", "sailthru.date": "published",
    "publication_date": "published", "parsely-pub-date": "published", "cxenseparse:recs:publishtime": "published",
    "article.published": "published",
    "article:modified_time": "modified", "og:updated_time": "modified", "last-modified": "modified",
    "lastmod": "modified", "dcterms.modified": "modified", "article:updated": "modified", "datemodified": "modified",
    "author": "author", "article:author": "author", "dc.creator": "author", "dcterms.creator": "author",
    "byl": "author", "parsely-author": "author", "sailthru.author": "author", "twitter:creator": "author",
    "cxenseparse:author": "author", "article:author_name": "author", "citation_author": "author",
    "dc.contributor": "author",
    "og:image": "image", "twitter:image": "image", "twitter:image:src": "image", "og:image:url": "image",
    "og:site_name": "publisher", "application-name": "publisher", "article:publisher": "publisher",
    "dc.publisher": "publisher", "twitter:site": "publisher", "copyright": "publisher",
    "article:section": "section", "parsely-section": "section", "section": "section",
    "og:description": "description", "twitter:description": "description", "description": "description",
    "dc.description": "description", "og:type": "type", "og:locale": "language", "content-language": "language",
    "dc.language": "language", "og:url": "url", "keywords": "keywords", "news_keywords": "keywords",
    "geo.placename": "place", "article:location": "place", "dateline": "dateline",
}  # fmt: skip


def claims(page: Page) -> list[Claim]:
    """Return all claims of a page, without duplicates.

    >>> from parcels.html.page import read_page
    >>> html = '<meta property="og:title" content="Fire"><script type="application/ld+json">{"@type": "NewsArticle",'
    >>> html += '"author": {"@type": "Person", "name": "Ann Teller"}}</script><p>x'
    >>> claims(read_page(html))
    [Claim(field='title', value='Fire', origin='opengraph'), Claim(field='type', value='NewsArticle', origin='json-ld'),
     Claim(field='author', value='Ann Teller', origin='json-ld')]
    """
    unique: dict[Claim, None] = {}
    declared, microdata_elements = [], []
    for tag, attributes, element in page.nodes.iter_metadata():
        if tag in _CLAIM_TAGS:
            declared.append(_element_claims(tag, attributes, element))
        elif tag not in METADATA_TAGS or element.get("itemprop") is not None:
            microdata_elements.append(element)
    for element_claims in chain(declared, map(_microdata, microdata_elements)):
        for field, value, origin in element_claims:
            folded = fold(value[:MAX_CHARS])
            if folded:
                unique.setdefault(Claim(field, folded, origin))
        if len(unique) >= MAX_CLAIMS:
            break
    return list(unique)


def _element_claims(tag: str, attributes: Attributes, element: etree._Element) -> Iterable[Claim]:
    if tag == "meta":
        return _meta(attributes)
    if tag == "title":
        parent = element.getparent()
        is_own = parent is None or parent.tag in ("head", "html", "body")  # drawings have titles too
        return [Claim("title", element.text or "", "title")] if is_own else []
    if tag == "html":
        return [Claim("language", attributes["lang"], "html")] if attributes.get("lang") else []
    if tag == "link":
        is_own = "canonical" in (attributes.get("rel") or "").lower().split()
        return [Claim("url", attributes.get("href") or "", "link")] if is_own else []
    return _linked_data(element) if "ld+json" in (attributes.get("type") or "").lower() else []


def _linked_data(script: etree._Element) -> Iterator[Claim]:
    text = script.text or ""
    if len(text) <= MAX_JSON_BYTES:
        for item in _read_json(text):
            yield from _json_ld_claims(item, 0)


def _meta(attributes: Mapping[str, str]) -> list[Claim]:
    content = attributes.get("content") or ""
    meta_claims = []
    for attribute in _NAME_ATTRIBUTES:
        name = attributes.get(attribute)
        if not name:
            continue
        name = name.strip()
        if attribute == "itemprop":
            if name in _PROPERTIES:
                meta_claims.append(Claim(_PROPERTIES[name], content, "microdata"))
        elif (field := _META.get(name.lower())) is not None:
            is_open = name.lower().startswith(("og:", "article:"))
            meta_claims.append(Claim(field, content, "opengraph" if is_open else "meta"))
    return meta_claims


def _microdata(element: etree._Element) -> Iterator[Claim]:
    for name in (element.get("itemprop") or "").split():
        field = _PROPERTIES.get(name)
        if field is None or field == "body":
            continue
        value = element.get("content") or element.get("datetime") or (element.get("src") if field == "image" else None)
        if value is None:
            inner = element.find('.//*[@itemprop="name"]') if field in ("author", "publisher") else None
            value = "".join(map(str, (element if inner is None else inner).itertext()))
        yield Claim(field, value, "microdata")


def _read_json(text: str) -> list[Any]:
    """Return the JSON of a script, tolerating common errors; empty if it cannot be parsed."""
    text = text.strip().removeprefix("<![CDATA[").removesuffix("]]>").strip().rstrip(";")
    for repair in (None, _CONTROLS, _TRAILING_COMMAS):
        if repair is not None:
            text = repair[0].sub(repair[1], text)
        for loads in (orjson.loads, json.loads):  # the first is quick and strict
            try:
                return [loads(text)]
            except (ValueError, RecursionError):
                continue
    return []


def _json_ld_claims(item: Any, depth: int) -> Iterator[Claim]:
    if depth > MAX_DEPTH:
        return
    if isinstance(item, list):
        for entry in item[:MAX_CLAIMS]:
            yield from _json_ld_claims(entry, depth + 1)
    elif isinstance(item, dict):
        kinds = [str(kind) for kind in _as_list(item.get("@type"))]
        if any(_ARTICLE_TYPES.search(kind) for kind in kinds):
            yield from (Claim("type", kind, "json-ld") for kind in kinds)
            for name, field in _PROPERTIES.items():
                for value in _values(item.get(name), field):
                    yield Claim(field, value, "json-ld")
            for author in _as_list(item.get("author")):
                if isinstance(author, dict) and any("Organi" in str(kind) for kind in _as_list(author.get("@type"))):
                    yield from (Claim("organisation", value, "json-ld") for value in _values(author, "author"))
            if "headline" not in item and isinstance(item.get("name"), str):
                yield Claim("title", item["name"], "json-ld")
        for name in ("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item"):
            yield from _json_ld_claims(item.get(name), depth + 1)


def _values(value: Any, field: str) -> Iterator[str]:
    for entry in _as_list(value):
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, bool):
            yield "true" if entry else "false"
        elif isinstance(entry, dict):
            inner = entry.get("url" if field == "image" else "name") or entry.get("name") or entry.get("contentUrl")
            yield from (one for one in _as_list(inner) if isinstance(one, str))


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else value[:MAX_CLAIMS] if isinstance(value, list) else [value]
