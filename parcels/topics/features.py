"""Features of a page: terms by constituent, that is, by area or title (Kovacevic et al. 2003, section 5.2)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from parcels.html.page import Page
from parcels.layout.boxes import AREAS
from parcels.layout.render import LaidOut
from parcels.topics.cleaning import LeafTerms, terms

TITLE = "title"
CONSTITUENTS = (*AREAS, TITLE)
META_NAMES = frozenset(
    ["keywords", "description", "subject", "abstract", "dc.title", "dc.subject", "dc.description"]
)  # meta tags about the topic of a page
META_PROPERTIES = frozenset(["og:title", "og:description", "article:section", "article:tag"])
MAX_META = 2000  # characters read per tag

Bag = Counter[str]


@dataclass(frozen=True, slots=True)
class Constituents:
    """Term counts by constituent; a missing area is an empty bag."""

    bags: dict[str, Bag] = field(default_factory=dict)

    def whole(self) -> Bag:
        """Return the bag of words of the whole page."""
        total: Bag = Counter()
        for bag in self.bags.values():
            total.update(bag)
        return total

    def unlaid(self) -> "Constituents":
        """Return the constituents as without a layout, except that words hidden by style stay left out."""
        areas = Constituents({name: bag for name, bag in self.bags.items() if name != TITLE})
        return Constituents({"centre": areas.whole(), TITLE: self.bags.get(TITLE, Counter())})


def constituents(laid: LaidOut, leaf_terms: LeafTerms | None = None, title: Bag | None = None) -> Constituents:
    """Return the terms of a laid-out page by constituent, without text that style hides.

    `leaf_terms` and `title` are those of the page where the caller has them.

    >>> from parcels.layout.render import lay_out
    >>> from parcels.html.page import read_page
    >>> by_area = constituents(lay_out(read_page("<title>CS 101</title><h1>Compilers</h1><p>Lectures on compilers")))
    >>> by_area.bags["title"], by_area.bags["centre"]
    (Counter({'cs': 1, '#number': 1}), Counter({'compil': 2, 'lectur': 1}))
    """
    cleaned = leaf_terms or LeafTerms(laid.page.leaves.text)
    by_area: list[list[str]] = [[] for _ in AREAS]
    for leaf, (area, hidden) in enumerate(zip(laid.areas.leaves.tolist(), laid.layout.hidden_reason, strict=True)):
        if hidden is None:
            by_area[area] += cleaned.of(leaf)
    bags: dict[str, Bag] = {name: Counter(of_area) for name, of_area in zip(AREAS, by_area, strict=True)}
    bags[TITLE] = title_bag(laid.page) if title is None else title
    return Constituents(bags)


def unlaid_constituents(page: Page, leaf_terms: LeafTerms | None = None, title: Bag | None = None) -> Constituents:
    """Return the constituents of a page without a layout: all its text is centre."""
    cleaned = leaf_terms or LeafTerms(page.leaves.text)
    return Constituents({"centre": Counter(cleaned.all()), TITLE: title_bag(page) if title is None else title})


def title_bag(page: Page) -> Bag:
    """Count the terms in the title and the meta tags."""
    return Counter(head_terms(page.root))


def head_terms(root: etree._Element) -> list[str]:
    """Return the terms of a page's title and of its meta tags about the topic."""
    return [term for text in _head_texts(root) for term in terms(text)]


def _head_texts(root: etree._Element) -> Iterator[str]:
    metas, title = [], None
    for element in root.iter("title", "meta"):
        if element.tag == "meta":
            metas.append(element)
        elif title is None:
            title = element
            yield "".join(map(str, title.itertext()))[:MAX_META]
    for meta in metas:
        name, about = (meta.get("name") or "").lower(), (meta.get("property") or "").lower()
        if name in META_NAMES or about in META_PROPERTIES:
            yield (meta.get("content") or "")[:MAX_META]
