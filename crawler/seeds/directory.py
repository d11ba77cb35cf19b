"""Walk a directory site by category: find a page's sub-categories and the sites that it lists."""

from typing import NamedTuple
from urllib.parse import parse_qsl, unquote

from lxml import etree

from crawler.seeds.discover import base_of
from crawler.seeds.seed import Seed, folded, seed
from parcels.urls import canonical, host_of

MAX_LINKS = 5000  # of one page
_FRAME = frozenset(["nav", "header", "footer", "aside"])  # what stands around the list on every page
# Sites that pages link to for sharing; a directory lists their pages too rarely to be worth the noise.
_SHARING = ("facebook.com", "twitter.com", "x.com", "pinterest.com", "linkedin.com", "reddit.com", "addthis.com",
            "whatsapp.com", "t.me", "instagram.com", "youtube.com", "plus.google.com")  # fmt: skip
_TARGET_KEYS = frozenset(["url", "u", "to", "target", "link", "goto", "redirect", "dest", "destination", "href"])


class DirectoryLinks(NamedTuple):
    """The links of a category's page: its `topic`, sub-categories with theirs, and listed sites with the page's."""

    topic: str | None
    sub_categories: list[Seed]
    sites: list[Seed]


def directory_links(root: etree._Element, *, url: str, topic: str | None = None) -> DirectoryLinks:
    """Return the sub-categories and listed sites of a category's page; pass `topic` if the crawl knows it.

    A sub-category lies below the page (`/Arts/` -> `/Arts/Movies/`), or is the same page with another query
    (`?cat=7`, also the next page of a long list). A listed site is on another host, outside the frame of the page,
    directly or through the directory's own redirect (`/go?url=…`).

    >>> from parcels.html.page import read_page
    >>> html = '<nav><a href=/>Top</a></nav><a href=/Arts/Movies/>Movies</a><a href="http://b.example/">B, a site</a>'
    >>> links = directory_links(read_page(html).root, url="http://dir.example/Arts/")
    >>> links.topic, [s.topic for s in links.sub_categories], [(s.url, s.topic) for s in links.sites]
    ('Arts', ['Arts/Movies'], [('http://b.example/', 'Arts')])
    """
    here = canonical(url) or url
    base, own = base_of(root, url), topic or topic_of(here)
    subs: dict[str, Seed] = {}
    sites: dict[str, Seed] = {}
    for n, link in enumerate(root.iter("a")):
        if n >= MAX_LINKS:
            break
        address = canonical((link.get("href") or "").strip(), base) if link.get("href") else None
        if address is None or address == here:
            continue
        words = folded("".join(map(str, link.itertext())))
        if host_of(address) == host_of(here):
            listed = _redirect_target(address)
            if listed is None:
                if (below := _topic_below(here, address, own, words)) is not None:
                    _add(subs, Seed(address, "page", below or None, words))
                continue
            address = listed
        if not _is_sharing(address) and not _is_in_frame(link):
            _add(sites, Seed(address, "page", own, words))
    return DirectoryLinks(own, list(subs.values()), list(sites.values()))


def topic_of(url: str) -> str | None:
    """Return the category that a directory's address names.

    >>> topic_of("http://dir.example/Top/Arts/Movies%20and%20Film/index.html"), topic_of("http://dir.example/")
    ('Arts/Movies and Film', None)
    """
    parts = [unquote(part) for part in url.partition("://")[2].partition("?")[0].split("/")[1:] if part]
    if parts and "." in parts[-1]:
        parts.pop()
    return "/".join(parts[1:] if parts[:1] == ["Top"] else parts) or None


def _topic_below(here: str, address: str, own: str | None, words: str | None) -> str | None:
    """Return the topic of a link that leads further into this category, or None for other links."""
    folder, _, query = here.partition("?")
    path, _, other_query = address.partition("?")
    if path == folder and other_query != query:
        is_named = bool(words) and not str(words).isdigit() and len(str(words)) > 3
        return f"{own}/{words}" if own and is_named else own or words or ""
    folder = folder.rpartition("/")[0] + "/"
    if not path.startswith(folder) or path == folder or "." in path.rpartition("/")[2]:
        return None
    return topic_of(path) or ""


def _redirect_target(address: str) -> str | None:
    """Return the site that a redirect of the directory leads to.

    >>> _redirect_target("http://dir.example/go?url=http%3A%2F%2Fb.example%2F")
    'http://b.example/'
    """
    for key, value in parse_qsl(address.partition("?")[2], max_num_fields=50) if "?" in address else ():
        if key.lower() in _TARGET_KEYS and value.lower().startswith(("http://", "https://")):
            target = seed(value)
            if target is not None and host_of(target.url) != host_of(address):
                return target.url
    return None


def _is_sharing(address: str) -> bool:
    host = host_of(address) or ""
    return any(host == name or host.endswith(f".{name}") for name in _SHARING)


def _is_in_frame(link: etree._Element) -> bool:
    return any(parent.tag in _FRAME for parent in link.iterancestors())


def _add(seeds: dict[str, Seed], one: Seed) -> None:
    seeds.setdefault(one.url, one)
