"""The six constituents of a page (Kovacevic et al. 2003, section 5.2): five areas, and title with meta tags."""

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
)  # those that say what the page is about
META_PROPERTIES = frozenset(["og:title", "og:description", "article:section", "article:tag"])
MAX_META = 2000  # characters of one tag; what is longer is spam

Bag = Counter[str]


@dataclass(frozen=True, slots=True)
class Constituents:
    """How often each term stands in each constituent; an area that the page lacks is an empty bag."""

    bags: dict[str, Bag] = field(default_factory=dict)

    def whole(self) -> Bag:
        """The bag of words of the whole page: what a classifier reads that does not look at the layout."""
        total: Bag = Counter()
        for bag in self.bags.values():
            total.update(bag)
        return total

    def unlaid(self) -> "Constituents":
        """The same as if nobody had laid the page out; words that style hides stay out, which only a layout tells."""
        areas = Constituents({name: bag for name, bag in self.bags.items() if name != TITLE})
        return Constituents({"centre": areas.whole(), TITLE: self.bags.get(TITLE, Counter())})


def constituents(laid: LaidOut, leaf_terms: LeafTerms | None = None, title: Bag | None = None) -> Constituents:
    """The terms of a page by where they stand; what style hides from readers is left out.

    `leaf_terms` and `title` are the page's, where others ask for them too.

    >>> from parcels.layout.render import lay_out
    >>> from parcels.html.page import read_page
    >>> found = constituents(lay_out(read_page("<title>CS 101</title><h1>Compilers</h1><p>Lectures on compilers")))
    >>> found.bags["title"], found.bags["centre"]
    (Counter({'cs': 1, '#number': 1}), Counter({'compil': 2, 'lectur': 1}))
    """
    cleaned = leaf_terms or LeafTerms(laid.page.leaves.text)
    found: list[list[str]] = [[] for _ in AREAS]
    for leaf, (area, hidden) in enumerate(zip(laid.areas.leaves.tolist(), laid.layout.hidden_reason, strict=True)):
        if hidden is None:
            found[area] += cleaned.of(leaf)
    bags: dict[str, Bag] = {name: Counter(of_area) for name, of_area in zip(AREAS, found, strict=True)}
    bags[TITLE] = title_bag(laid.page) if title is None else title
    return Constituents(bags)


def unlaid_constituents(page: Page, leaf_terms: LeafTerms | None = None, title: Bag | None = None) -> Constituents:
    """The same of a page that is not laid out: all its text is centre."""
    cleaned = leaf_terms or LeafTerms(page.leaves.text)
    return Constituents({"centre": Counter(cleaned.all()), TITLE: title_bag(page) if title is None else title})


def title_bag(page: Page) -> Bag:
    """How often each term stands in the title and the meta tags."""
    return Counter(head_terms(page.root))


def head_terms(root: etree._Element) -> list[str]:
    """The terms of a page's title and of the meta tags that say what it is about."""
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
