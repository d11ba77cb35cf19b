# cython: infer_types=True
"""Area names: what an element's tag, ARIA role, id and class say about its area."""

import re
from collections.abc import Iterable, Mapping

from parcels.html.tags import NAMES, lookup
from parcels.layout.areas.part_table import PartTable

# One bit a kind of evidence. `INNER_*`: a header or footer inside an article is not the page's.
FLAGS = (
    "header_tag",
    "footer_tag",
    "nav_tag",
    "main_tag",
    "aside_tag",
    "article_tag",
    "header_name",
    "footer_name",
    "nav_name",
    "side_name",
    "left_name",
    "right_name",
    "content_name",
    "article_name",
    "search_name",
    "inner_header",
    "inner_footer",
    "ad_name",
)
BIT = {name: 1 << number for number, name in enumerate(FLAGS)}

_TAGS = {
    "header": BIT["header_tag"],
    "footer": BIT["footer_tag"],
    "nav": BIT["nav_tag"],
    "main": BIT["main_tag"],
    "aside": BIT["aside_tag"],
    "article": BIT["article_tag"],
    "search": BIT["search_name"],
}
_ROLES = {
    "banner": BIT["header_tag"],
    "contentinfo": BIT["footer_tag"],
    "navigation": BIT["nav_tag"],
    "menubar": BIT["nav_tag"],
    "main": BIT["main_tag"],
    "complementary": BIT["aside_tag"],
    "article": BIT["article_tag"],
    "search": BIT["search_name"],
}
# Names that count anywhere in an id or class ("mainfooter"); the first listed of several matches counts.
_PARTS = {
    "header_name nav_name": "topnav topmenu top-nav top-menu",
    "side_name nav_name": "sidenav sidemenu side-nav side-menu subnav sub-nav",
    "header_name": "header masthead banner kopf cabecera branding topbar top-bar toolbar",
    "footer_name": "footer bottom copyright colophon fusszeile siteinfo site-info sitemap site-map imprint",
    "nav_name": "nav menu breadcrumb",
    "side_name": "sidebar side-bar sidecol side-col secondary tertiary widget",
    "left_name": "left",
    "right_name": "right rechts",
    "content_name": "content middle primary inhalt centercol center-col main-col maincol mainbody",
    "article_name": "article",
    "search_name": "search suche",
    "ad_name": "advert leaderboard google-ad googlead adsense doubleclick gpt-ad sponsor",
}
# And those that count as a whole word only ("top", not "stop").
_WORDS = {
    "header_name": "top logo head hd",
    "footer_name": "foot ft legal credits fuss pie pied",
    "nav_name": "tab tabs",
    "side_name": "side aside rail",
    "left_name": "lhs col1 izq",
    "right_name": "rhs derecha",
    "content_name": "main body center centre",
    "article_name": "post entry story",
    "search_name": "cerca buscar",
    "ad_name": "ad ads adv",
}


def _bits(table: dict[str, str]) -> dict[str, int]:
    return {word: sum(BIT[flag] for flag in flags.split()) for flags, words in table.items() for word in words.split()}


_BY_PART, _BY_WORD = _bits(_PARTS), _bits(_WORDS)


def _any_of(words: Iterable[str], letters: int) -> str:
    """Return a pattern for words of which none is a prefix of another, branching on their first letters for speed."""
    if not letters:
        return "|".join(map(re.escape, words))
    rest: dict[str, list[str]] = {}
    for word in words:
        rest.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{re.escape(letter)}(?:{_any_of(suffixes, letters - 1)})" for letter, suffixes in rest.items())


_PART = re.compile(_any_of(_BY_PART, 2))
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PART_OF_CONTENT = (  # a footer inside `div#content` is a footer
    BIT["header_tag"]
    | BIT["header_name"]
    | BIT["footer_tag"]
    | BIT["footer_name"]
    | BIT["side_name"]
    | BIT["aside_tag"]
)
_OF_WRAPPER = BIT["main_tag"] | BIT["article_tag"] | BIT["content_name"]  # the flags that a wrapper may have
# Inside these a header or footer is not the page's.
_IN_ARTICLE = BIT["article_tag"] | BIT["main_tag"] | BIT["article_name"]
_OF_HEADER, _INNER_HEADER = BIT["header_tag"] | BIT["header_name"], BIT["inner_header"]
_OF_FOOTER, _INNER_FOOTER = BIT["footer_tag"] | BIT["footer_name"], BIT["inner_footer"]
_OF_CONTENT = BIT["content_name"]
_AD, _BANNER = BIT["ad_name"], BIT["header_name"]
_OF_TAG = [_TAGS.get(name, 0) for name in NAMES]
_IS_PHRASE = bytes(
    lookup("a b strong i em u s small big sub sup font tt code abbr cite q mark time img br input").tolist()
)
# An element with this share of the page's leaves is a wrapper: its name does not describe an area.
WRAPPER_SHARE = 0.6
KNOWN_NAMES = 50_000  # whose evidence is kept


def flags_of_name(name: str) -> int:
    """Return the flags of an id or class.

    >>> [flag for flag in FLAGS if flags_of_name("leftNav box") & BIT[flag]]
    ['nav_name', 'left_name']
    >>> flags_of_name("copyright") == BIT["footer_name"]
    True
    """
    words = name[:200]
    small = words.lower()
    if small != words:
        small = _CAMEL.sub("-", words).lower()
    words = small.replace("_", "-").replace(" ", "-").replace("\t", "-").replace("\n", "-")
    flags = 0
    for part in _PART.findall(words):
        flags |= _BY_PART[part]
    for word in words.split("-"):
        flags |= _BY_WORD.get(word, 0)
    return flags


_flags_by_name: dict[str, int] = {}  # cache of flags by name


def _cached_flags(name: str) -> int:
    flags = _flags_by_name.get(name)
    if flags is None:
        if len(_flags_by_name) >= KNOWN_NAMES:
            _flags_by_name.clear()  # frequent names return soon
        flags = _flags_by_name[name] = flags_of_name(name)
    return flags


def own_flags(attributes: Mapping[str, str], tag: int) -> int:
    """Return an element's own flags; an advertisement is no banner, and a phrase element names no area."""
    if _IS_PHRASE[tag] or not attributes:
        return _OF_TAG[tag]
    flags = 0
    name = attributes.get("class")
    if name:
        flags = _cached_flags(name)
    name = attributes.get("id")
    if name:
        flags |= _cached_flags(name)
    name = attributes.get("role")
    if name:
        flags |= _ROLES.get(name.strip().lower(), 0)
    if flags & _AD:
        flags &= ~_BANNER
    return flags | _OF_TAG[tag]


def find_flags(page_parts: PartTable) -> None:
    """Set each part's flags: its own and those of all enclosing parts."""
    attributes = page_parts.page.nodes.attributes
    all_flags = page_parts.flags
    for part in range(page_parts.part_count):
        flags = 0
        for holder in range(page_parts.first_holder[part], page_parts.first_holder[part + 1]):
            row = page_parts.holder[holder]
            flags |= own_flags(attributes[row], page_parts.node_tag[row])
        if page_parts.share[part] > WRAPPER_SHARE:
            flags &= _OF_WRAPPER
        inherited = all_flags[page_parts.parent[part]] if page_parts.parent[part] >= 0 else 0
        if inherited & _IN_ARTICLE:
            if flags & _OF_HEADER:
                flags = (flags & ~_OF_HEADER) | _INNER_HEADER
            if flags & _OF_FOOTER:
                flags = (flags & ~_OF_FOOTER) | _INNER_FOOTER
        if flags & _PART_OF_CONTENT:
            inherited &= ~_OF_CONTENT
        all_flags[part] = inherited | flags
