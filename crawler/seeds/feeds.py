"""Read RSS (0.9x, 1.0 as RDF, 2.0), Atom and OPML: addresses of articles and of other feeds."""

from collections import Counter
from collections.abc import Iterable, Iterator

from crawler.seeds.markup import tokens
from crawler.seeds.records import Record, records
from crawler.seeds.seed import Seed, seed

_ITEMS = frozenset(["item", "entry"])
# Fields of these prefixes are of another thing than the entry: a picture, the channel's own feed.
_OTHERS = frozenset(["media", "itunes", "atom", "atom10", "content", "thr", "source", "georss", "podcast"])
_ADDRESS_KEYS = ("xmlurl", "htmlurl", "url", "href")


def read_feed(
    chunks: Iterable[bytes], *, url: str | None = None, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Seed]:
    """Yield the articles of a feed; `url` is where it came from, for relative addresses.

    >>> rss = b"<rss><item><title>Fire</title><link>/1</link><pubDate>2024-05-07</pubDate></item></rss>"
    >>> [(s.url, s.title) for s in read_feed([rss], url="http://a.example/rss")]
    [('http://a.example/1', 'Fire')]
    """
    for item in records(chunks, _ITEMS, charset=charset, keep_prefix=_OTHERS):
        published = item.text("pubdate", "published", "date", "issued", "updated", "modified", "created")
        topic = item.text("category") or next((f.attributes.get("term") for f in item.all("category")), None)
        article = seed(
            _address(item), base=url, title=item.text("title"), topic=topic, published=published, left_out=left_out
        )
        if article is not None:
            yield article


def _address(item: Record) -> str | None:
    """Return the article's address: Atom's alternate link, RSS' link, then a guid or id that is one, then rdf:about."""
    links = [(f.attributes.get("rel", "alternate").lower(), f.attributes.get("href", "")) for f in item.all("link")]
    for rel, address in links:
        if address and rel == "alternate":
            return address
    # Feeds that were moved behind a counting service keep the real address beside it.
    plain = item.text("origlink", "link")
    if plain:
        return plain
    for guid in item.all("guid"):
        if guid.attributes.get("ispermalink", "true").lower() != "false" and _is_web(guid.text):
            return guid.text
    identity = item.text("id", "guid")
    if identity and _is_web(identity):
        return identity
    about = item.attributes.get("rdf:about") or item.attributes.get("about")
    return about or next((address for rel, address in links if address and rel != "self"), None)


def _is_web(text: str) -> bool:
    return text.strip().lower().startswith(("http://", "https://"))


def read_opml(
    chunks: Iterable[bytes], *, url: str | None = None, charset: str | None = None, left_out: Counter[str] | None = None
) -> Iterator[Seed]:
    """Yield the feeds (and pages) of a subscription list; the folder of each is its topic.

    >>> opml = b'<outline text="World"><outline text="A" xmlUrl="http://a.example/rss"/></outline>'
    >>> [(s.url, s.kind, s.topic) for s in read_opml([opml])]
    [('http://a.example/rss', 'feed', 'World')]
    """
    folders: list[str | None] = []
    for token in tokens(chunks, charset=charset):
        if token.name != "outline":
            continue
        if token.kind == "end":
            del folders[-1:]
            continue
        label = token.attributes.get("text") or token.attributes.get("title")
        address = next((token.attributes[key] for key in _ADDRESS_KEYS if token.attributes.get(key)), None)
        if address:
            topic = "/".join(name for name in folders if name) or None
            kind = "feed" if "xmlurl" in token.attributes else "home"
            outline = seed(address, base=url, kind=kind, topic=topic, title=label, left_out=left_out)
            if outline is not None:
                yield outline
        folders.append(None if address else label)
