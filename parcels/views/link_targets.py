"""Where the links of a page lead, told by their addresses alone: nothing is resolved or fetched.

One look at each `href`; what features need to know of it is a few numbers a link.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from parcels.compiled import loaded
from parcels.page import Page
from parcels.urls import registered
from parcels.views.look import Floats, Ints

loops = loaded("parcels.views.name_loops")  # None where it is not compiled: the same by patterns, slower

MAX_CHARS = 500  # of one address
MAX_NAMED = 4  # words of one address
_SOCIAL = (
    "facebook twitter x instagram linkedin pinterest reddit whatsapp telegram youtube tiktok tumblr flipboard digg "
    "stumbleupon snapchat threads vk weibo line mastodon bsky addtoany sharethis addthis messenger t wa del"
)
SOCIAL = frozenset(_SOCIAL.split())
KINDS = ("empty", "fragment", "script", "mail", "social", "outside", "relative_site", "same_section", "same_page",
         "home", "story", "shallow", "author", "topic", "sponsored", "new_window", "account")  # fmt: skip
_KIND = {name: number for number, name in enumerate(KINDS)}
_SPLIT = re.compile(r"(?:([a-z][a-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.I | re.S)
_STORY = re.compile(r"\d{5,}|/\d{4}/\d{1,2}/|[a-z0-9]+(?:[-_][a-z0-9]+){3,}", re.I)
_AUTHOR = re.compile(
    r"/(?:authors?|by|people|profiles?|staff|journalists?|reporters?|contributors?|users?)(?:/|$)", re.I
)
_TOPIC = re.compile(r"/(?:tags?|topics?|category|categories|keywords?|subjects?|section|hub)(?:/|$)", re.I)
_ACCOUNT = re.compile(r"log-?in|sign-?(?:in|up)|subscri|register|account|newsletter|donat|membership|alerts?\b", re.I)
_WORD = re.compile(r"[a-z]{3,}", re.I)
_AUTHORS = (
    "author authors by people profile profiles staff journalist journalists reporter reporters contributor "
    "contributors user users"
)
_TOPICS = "tag tags topic topics category categories keyword keywords subject subjects section hub"
_ACCOUNTS = "login log-in signin signup sign-in sign-up subscri register account newsletter donat membership alert"
AUTHORS, TOPICS, ACCOUNTS = frozenset(_AUTHORS.split()), frozenset(_TOPICS.split()), _ACCOUNTS.split()


class Target(NamedTuple):
    """What one address says."""

    kinds: tuple[int, ...]  # numbers of KINDS
    words: tuple[str, ...]  # of its path, in lower case
    depth: int  # of its path
    named: tuple[str, ...]  # the first of these words, marked as names (views.tokens)


@dataclass(frozen=True, slots=True)
class LinkTargets:
    """The targets of a page's links, for its leaves."""

    of_leaf: Ints  # the link's place in `targets`; -1 outside links
    targets: list[Target]
    kinds: Floats  # kind x target, with a last column of zeros for leaves outside links
    depth: Floats  # of the path, with a last 0


def link_targets(page: Page) -> LinkTargets:
    """What the addresses of the page's links say, beside the page's own address where it is known.

    >>> from parcels.page import read_page
    >>> found = link_targets(read_page('<a href="/by/ann-lee">Ann Lee</a> text', "https://a.example/x"))
    >>> found.of_leaf.tolist(), [KINDS[kind] for kind in found.targets[0].kinds], found.targets[0].words
    ([0, -1], ['relative_site', 'shallow', 'author'], ('ann', 'lee'))
    """
    rows = page.nodes.link[page.leaves.node]
    is_target = np.zeros(len(page.nodes) + 1, np.bool_)
    is_target[rows] = True
    is_target[-1] = False  # where the leaves outside links have set it
    of_leaf = np.where(rows >= 0, (np.cumsum(is_target) - 1).take(rows), -1)
    own = _own(page.url or "")
    attributes = page.nodes.attributes
    targets = []
    for row in np.flatnonzero(is_target).tolist():
        get = attributes[row].get
        targets.append(_target(get("href", "")[:MAX_CHARS], get("rel", ""), get("target", ""), *own))
    width = len(targets) + 1
    kinds = np.zeros((len(KINDS), width), np.float32)
    depth = np.zeros(width, np.float32)
    if loops is not None:
        loops.columns(targets, kinds, depth)
    else:
        kinds.reshape(-1)[[kind * width + n for n, target in enumerate(targets) for kind in target.kinds]] = 1
        depth[:-1] = [target.depth for target in targets]
    return LinkTargets(of_leaf.astype(np.int64), targets, kinds, depth)


def _own(url: str) -> tuple[str, str, str]:
    """Registered domain, first part of the path and path of the page's own address."""
    _, host, path, _, _ = _parts(url)
    return registered(host) if host else "", path.strip("/").partition("/")[0].lower(), path.rstrip("/")


def _parts(url: str) -> tuple[str, str, str, str, str]:
    found = _SPLIT.match(url.strip())
    scheme, host, path, query, fragment = found.groups("") if found else ("", "", url, "", "")
    return scheme.lower(), host.lower(), path, query, fragment


@lru_cache(maxsize=20_000)
def _target(href: str, rel: str, window: str, domain: str, section: str, own_path: str) -> Target:
    if loops is not None:
        found = loops.target(
            href, rel, window, domain, section, own_path, registered, SOCIAL, AUTHORS, TOPICS, MAX_NAMED
        )
        if found is not None:
            return _made(Target, found)
    return by_patterns(href, rel, window, domain, section, own_path)


_made = tuple.__new__  # without the call of Python's own that a named tuple's takes


def by_patterns(href: str, rel: str, window: str, domain: str, section: str, own_path: str) -> Target:
    """What an address says, in whatever letters."""
    scheme, host, path, query, fragment = _parts(href)
    lower = path.lower()
    names = ["new_window"] if window == "_blank" else []
    if "sponsored" in rel or "nofollow" in rel:
        names.append("sponsored")
    if scheme in ("mailto", "tel", "sms"):
        return _of([*names, "mail"], "", 0)
    if scheme not in ("", "http", "https"):
        return _of([*names, "script"], "", 0)
    if not host and not path and not query:
        return _of([*names, "fragment" if fragment else "empty"], fragment, 0)
    of_host = registered(host) if host else domain
    is_outside = bool(host) and of_host != domain
    if of_host.partition(".")[0] in SOCIAL and is_outside:
        names.append("social")
    names.append("outside" if is_outside else "relative_site")
    parts = [part for part in lower.split("/") if part]
    if not is_outside:
        if own_path and path.rstrip("/") == own_path:
            names.append("same_page")
        elif section and parts and parts[0] == section:
            names.append("same_section")
    if not parts:
        names.append("home")
    elif _STORY.search(lower):
        names.append("story")
    elif len(parts) <= 2:
        names.append("shallow")
    if "author" in rel or _has_part(lower, parts, AUTHORS, _AUTHOR):
        names.append("author")
    if "tag" in rel.split() or _has_part(lower, parts, TOPICS, _TOPIC):
        names.append("topic")
    if _is_of_account(lower) or (host and _is_of_account(host)):
        names.append("account")
    return _of(names, lower, len(parts))


def _has_part(path: str, parts: list[str], wanted: frozenset[str], pattern: re.Pattern[str]) -> bool:
    """Whether the pattern finds a part of a path; where no part is among those wanted it is not asked."""
    return (not wanted.isdisjoint(parts) or not path.isascii() or "\n" in path) and pattern.search(path) is not None


def _is_of_account(text: str) -> bool:
    """Whether _ACCOUNT finds something; in a text without these letters it is not asked."""
    may_be = not text.isascii()
    for part in ACCOUNTS:
        may_be = may_be or part in text
    return may_be and _ACCOUNT.search(text) is not None


def _of(names: list[str], path: str, depth: int) -> Target:
    words = tuple(dict.fromkeys(_WORD.findall(path.lower())))[:8]
    named = tuple([f"to:{word}" for word in words[:MAX_NAMED]])
    return Target(tuple([_KIND[name] for name in names]), words, min(depth, 12), named)
