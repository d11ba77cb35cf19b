"""The metadata of a page as claims: JSON-LD, OpenGraph and other meta tags, microdata.

A claim is a field, a value and its origin. Claims may contradict each other and the page; their users weigh them.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
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
_NESTED = ("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item")  # names of JSON-LD with more items


class Claim(NamedTuple):
    """One statement of a page's metadata."""

    field: str  # title, published, modified, author, image, publisher, section, description, type, language, url, body
    value: str
    origin: str  # json-ld, opengraph, meta, microdata, link


Fields = tuple[str, str, str]  # those of a claim: plain tuples are made faster


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
# Further names of dates, letters only: `mediator_published_time`, `citation_online_date`, `dd:modified_time`.
_DATE_NAMES = (
    (re.compile(r"expir|unpubl|image|video|valid"), None),
    (re.compile(r"(?:modif(?:ied|ication)?|(?:last)?updated?|revised)(?:date|time|at|on)?$"), "modified"),
    (
        re.compile(
            r"publi(?:sh|shed|cation)?(?:date|time|at|on)$|pub(?:date|time)$|date(?:publi\w*|pub|created|issued|posted)$|"
            r"^p(?:date|time|ublished)$|citation\w*date$|(?:create|created|posted|upload)(?:date|time|at|on)$"
        ),
        "published",
    ),
)
_DATE_CLUES = ("date", "time", "publi", "modif", "_at")


def claims(page: Page) -> list[Claim]:
    """Return all claims of a page, without duplicates.

    >>> from parcels.html.page import read_page
    >>> html = '<meta property="og:title" content="Fire"><script type="application/ld+json">{"@type": "NewsArticle",'
    >>> html += '"author": {"@type": "Person", "name": "Ann Teller"}}</script><p>x'
    >>> claims(read_page(html))
    [Claim(field='title', value='Fire', origin='opengraph'), Claim(field='type', value='NewsArticle', origin='json-ld'),
     Claim(field='author', value='Ann Teller', origin='json-ld')]
    """
    unique: dict[Fields, None] = {}
    for element_claims in _by_element(page):
        for field, value, origin in element_claims:
            folded = fold(value[:MAX_CHARS])
            if folded:
                unique[field, folded, origin] = None
        if len(unique) >= MAX_CLAIMS:
            break
    return list(map(Claim._make, unique))


def _by_element(page: Page) -> Iterator[list[Fields]]:
    """Yield the claims of each element; microdata comes last."""
    with_itemprop = []
    for tag, attributes, element in page.nodes.iter_metadata():
        read = _READERS.get(tag)
        if read is not None:
            yield read(attributes, element)
        elif tag not in METADATA_TAGS or element.get("itemprop") is not None:
            with_itemprop.append(element)
    yield from map(_microdata, with_itemprop)


def _title(attributes: Attributes, element: etree._Element) -> list[Fields]:
    parent = element.getparent()
    is_own = parent is None or parent.tag in ("head", "html", "body")  # drawings have titles too
    return [("title", element.text or "", "title")] if is_own else []


def _language(attributes: Attributes, element: etree._Element) -> list[Fields]:
    language = attributes.get("lang")
    return [("language", language, "html")] if language else []


def _link(attributes: Attributes, element: etree._Element) -> list[Fields]:
    is_own = "canonical" in (attributes.get("rel") or "").lower().split()
    return [("url", attributes.get("href") or "", "link")] if is_own else []


def _linked_data(attributes: Attributes, script: etree._Element) -> list[Fields]:
    claims_of_script: list[Fields] = []
    if "ld+json" in (attributes.get("type") or "").lower():
        text = script.text or ""
        if len(text) <= MAX_JSON_BYTES:
            for item in _read_json(text):
                _add_json_ld(item, 0, _names_by_id(item), claims_of_script)
    return claims_of_script


def _meta(attributes: Attributes, element: etree._Element) -> list[Fields]:
    meta_claims: list[Fields] = []
    content = attributes.get("content") or ""
    for attribute in _NAME_ATTRIBUTES:
        name = attributes.get(attribute)
        if not name:
            continue
        name = name.strip()
        if attribute == "itemprop":
            field, origin = _PROPERTIES.get(name), "microdata"
        else:
            name = name.lower()
            field = _META.get(name) or _date_field(name, content)
            origin = "opengraph" if name.startswith(("og:", "article:")) else "meta"
        if field is not None:
            meta_claims.append((field, content, origin))
    return meta_claims


def _date_field(name: str, content: str) -> str | None:
    """Return the field of a meta tag with an unlisted name that is made up like that of a date.

    >>> _date_field("mediator_published_time", "2020-05-01"), _date_field("article:expiration_time", "2020-05-01")
    ('published', None)
    """
    if not any(clue in name for clue in _DATE_CLUES) or not any(sign.isdigit() for sign in content):
        return None
    letters = "".join(filter(str.isalpha, name))
    return next((field for pattern, field in _DATE_NAMES if pattern.search(letters)), None)


_READERS: dict[str, Callable[[Attributes, etree._Element], list[Fields]]] = {
    "html": _language, "link": _link, "meta": _meta, "script": _linked_data, "title": _title,
}  # fmt: skip


def _microdata(element: etree._Element) -> list[Fields]:
    element_claims = []
    for name in (element.get("itemprop") or "").split():
        field = _PROPERTIES.get(name)
        if field is None or field == "body":
            continue
        value = element.get("content") or element.get("datetime") or (element.get("src") if field == "image" else None)
        if value is None:
            inner = element.find('.//*[@itemprop="name"]') if field in ("author", "publisher") else None
            value = "".join(map(str, (element if inner is None else inner).itertext()))
        element_claims.append((field, value, "microdata"))
    return element_claims


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


def _names_by_id(item: Any) -> dict[str, str]:
    """Return the name of each named node of a graph by its id: articles may state only the id of their author."""
    graph = item.get("@graph") if isinstance(item, dict) else item
    nodes = [node for node in _as_list(graph) if isinstance(node, dict)]
    named = ((node.get("@id"), node.get("name")) for node in nodes)
    return {node_id: name for node_id, name in named if isinstance(node_id, str) and isinstance(name, str)}


def _add_json_ld(item: Any, depth: int, names: Mapping[str, str], found: list[Fields]) -> None:
    """Add the claims of a JSON-LD value and of the values in it."""
    if depth > MAX_DEPTH:
        return
    if isinstance(item, list):
        for entry in item[:MAX_CLAIMS]:
            _add_json_ld(entry, depth + 1, names, found)
    elif isinstance(item, dict):
        kinds = [str(kind) for kind in _as_list(item.get("@type"))]
        if any(_ARTICLE_TYPES.search(kind) for kind in kinds):
            found += [("type", kind, "json-ld") for kind in kinds]
            for name, field in _PROPERTIES.items():
                value = item.get(name)
                if value is not None:
                    found += [(field, text, "json-ld") for text in _values(value, field, names)]
            for author in _as_list(item.get("author")):
                if isinstance(author, dict) and any("Organi" in str(kind) for kind in _as_list(author.get("@type"))):
                    found += [("organisation", text, "json-ld") for text in _values(author, "author", names)]
            if "headline" not in item and isinstance(item.get("name"), str):
                found.append(("title", item["name"], "json-ld"))
        for name in _NESTED:
            inner = item.get(name)
            if isinstance(inner, list | dict):
                _add_json_ld(inner, depth + 1, names, found)


def _values(value: Any, field: str, names: Mapping[str, str]) -> list[str]:
    texts: list[str] = []
    for entry in _as_list(value):
        if isinstance(entry, str):
            texts.append(names.get(entry, entry))
        elif isinstance(entry, bool):
            texts.append("true" if entry else "false")
        elif isinstance(entry, dict):
            inner = entry.get("url" if field == "image" else "name") or entry.get("name") or entry.get("contentUrl")
            if inner is None and field != "image" and isinstance(entry.get("@id"), str):
                inner = names.get(entry["@id"])
            texts += [one for one in _as_list(inner) if isinstance(one, str)]
    return texts


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else value[:MAX_CLAIMS] if isinstance(value, list) else [value]
