# cython: wraparound=False
"""The targets of a page's links, classified by their addresses alone: nothing is resolved or fetched.

C types are declared in link_targets.pxd.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from parcels.features.name_words import letter_runs
from parcels.features.page_features import Floats, Ints
from parcels.html.page import Page
from parcels.urls import registered

MAX_CHARS = 500  # of one address
MAX_NAMED = 4  # words of one address that the names view reads
MAX_WORDS = 8  # of one address
FEWEST_LETTERS = 3  # of one word
MAX_DEPTH = 12
LONG_NUMBER = 5  # digits in a row, as in the id of a story
STORY_WORDS = 4  # joined by hyphens, as in a headline
_SOCIAL = (
    "facebook twitter x instagram linkedin pinterest reddit whatsapp telegram youtube tiktok tumblr flipboard digg "
    "stumbleupon snapchat threads vk weibo line mastodon bsky addtoany sharethis addthis messenger t wa del"
)
SOCIAL = frozenset(_SOCIAL.split())
KINDS = ("empty", "fragment", "script", "mail", "social", "outside", "relative_site", "same_section", "same_page",
         "home", "story", "shallow", "author", "topic", "sponsored", "new_window", "account")  # fmt: skip
(EMPTY, FRAGMENT, SCRIPT, MAIL, SOCIAL_SITE, OUTSIDE, RELATIVE, SAME_SECTION, SAME_PAGE, HOME, STORY, SHALLOW, AUTHOR,
 TOPIC, SPONSORED, NEW_WINDOW, ACCOUNT) = range(len(KINDS))  # fmt: skip
_AUTHORS = (
    "author authors by people profile profiles staff journalist journalists reporter reporters contributor "
    "contributors user users"
)
_TOPICS = "tag tags topic topics category categories keyword keywords subject subjects section hub"
AUTHORS, TOPICS = frozenset(_AUTHORS.split()), frozenset(_TOPICS.split())
ACCOUNTS = (
    "login", "log-in", "signin", "signup", "sign-in", "sign-up", "subscri", "register", "account", "newsletter",
    "donat", "membership",
)  # fmt: skip


class Target(NamedTuple):
    """A classified address."""

    kinds: tuple[int, ...]  # indices of KINDS
    words: tuple[str, ...]  # of its path, in lower case
    depth: int  # of its path
    named: tuple[str, ...]  # the first of these words, with the prefix `to:` (parcels.features.tokens)


@dataclass(frozen=True, slots=True)
class LinkTargets:
    """The link targets of a page, by leaf."""

    of_leaf: Ints  # index in `targets`, -1 outside links
    targets: list[Target]
    kinds: Floats  # kind x target, with a last column of zeros for leaves outside links
    depth: Floats  # of the path, with a last 0


def link_targets(page: Page) -> LinkTargets:
    """Classify the addresses of a page's links, relative to the page's own address if that is known.

    >>> from parcels.html.page import read_page
    >>> links = link_targets(read_page('<a href="/by/ann-lee">Ann Lee</a> text', "https://a.example/x"))
    >>> links.of_leaf.tolist(), [KINDS[kind] for kind in links.targets[0].kinds], links.targets[0].words
    ([0, -1], ['relative_site', 'shallow', 'author'], ('ann', 'lee'))
    """
    rows = page.nodes.link[page.leaves.node]
    is_target = np.zeros(len(page.nodes) + 1, np.bool_)
    is_target[rows] = True
    is_target[len(page.nodes)] = False  # set above by leaves outside links
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
    kinds.reshape(-1)[[kind * width + n for n, target in enumerate(targets) for kind in target.kinds]] = 1
    depth[: len(targets)] = [target.depth for target in targets]
    return LinkTargets(of_leaf.astype(np.int64), targets, kinds, depth)


def _own(url: str) -> tuple[str, str, str]:
    """Return the registered domain, the first path segment and the path of the page's own address."""
    _, host, path, _, _ = split_address(url)
    return registered(host) if host else "", path.strip("/").partition("/")[0].lower(), path.rstrip("/")


def split_address(url: str) -> tuple[str, str, str, str, str]:
    """Return scheme, host, path, query and fragment of an address, with scheme and host in lower case.

    >>> split_address(" HTTPS://A.example/Path?query#top ")
    ('https', 'a.example', '/Path', '?query', '#top')
    """
    text = url.strip()
    size = len(text)
    at = _scheme_end(text)
    scheme = text[:at]
    if at:
        at += 1  # the colon
    begin = path = at
    if text.startswith("//", at):
        begin = path = at + 2
        while path < size and text[path] not in "/?#":
            path += 1
    query = path
    while query < size and text[query] not in "?#":
        query += 1
    fragment = query
    while fragment < size and text[fragment] != "#":
        fragment += 1
    return scheme.lower(), text[begin:path].lower(), text[path:query], text[query:fragment], text[fragment:]


def _scheme_end(text: str) -> int:
    """Return the index of the colon after the scheme, or 0 without a scheme."""
    for at in range(len(text)):
        letter = text[at]
        if "a" <= letter <= "z" or "A" <= letter <= "Z":
            continue
        if at and letter == ":":
            return at
        if not at or not ("0" <= letter <= "9" or letter in "+.-"):
            return 0
    return 0


@lru_cache(maxsize=20_000)
def _target(href: str, rel: str, window: str, domain: str, section: str, own_path: str) -> Target:
    return read_target(href, rel, window, domain, section, own_path)


_new_tuple = tuple.__new__  # faster than Target(...), whose constructor is a Python function


def read_target(href: str, rel: str, window: str, domain: str, section: str, own_path: str) -> Target:
    """Classify an address relative to the page's own domain, section and path."""
    scheme, host, path, query, fragment = split_address(href)
    kinds = [NEW_WINDOW] if window == "_blank" else []
    if "sponsored" in rel or "nofollow" in rel:
        kinds.append(SPONSORED)
    if scheme in ("mailto", "tel", "sms"):
        return _of([*kinds, MAIL], "", 0)
    if scheme not in ("", "http", "https"):
        return _of([*kinds, SCRIPT], "", 0)
    if not host and not path and not query:
        return _of([*kinds, FRAGMENT if fragment else EMPTY], fragment.lower(), 0)
    of_host = registered(host) if host else domain
    is_outside = host != "" and of_host != domain
    if is_outside and of_host.partition(".")[0] in SOCIAL:
        kinds.append(SOCIAL_SITE)
    kinds.append(OUTSIDE if is_outside else RELATIVE)
    lower = path.lower()
    parts = [part for part in lower.split("/") if part]
    if not is_outside:
        if own_path and path.rstrip("/") == own_path:
            kinds.append(SAME_PAGE)
        elif section and parts and parts[0] == section:
            kinds.append(SAME_SECTION)
    if not parts:
        kinds.append(HOME)
    elif is_story(lower):
        kinds.append(STORY)
    elif len(parts) <= 2:
        kinds.append(SHALLOW)
    folders = parts if path.startswith("/") else parts[1:]
    if "author" in rel or not AUTHORS.isdisjoint(folders):
        kinds.append(AUTHOR)
    if ("tag" in rel and "tag" in rel.split()) or not TOPICS.isdisjoint(folders):
        kinds.append(TOPIC)
    if is_of_account(lower) or (host and is_of_account(host)):
        kinds.append(ACCOUNT)
    return _of(kinds, lower, len(parts))


def is_story(path: str) -> bool:
    """Return whether a lower-case path has a long number, a month's folder or the words of a headline.

    >>> is_story("/news/40512345"), is_story("/2017/3/fire"), is_story("/fire-at-the-pier"), is_story("/world/asia")
    (True, True, True, False)
    """
    digits = words = 0
    is_in_word = is_joined = False
    for at in range(len(path)):
        letter = path[at]
        is_digit = "0" <= letter <= "9"
        digits = digits + 1 if is_digit else 0
        if digits == LONG_NUMBER:
            return True
        if is_digit or "a" <= letter <= "z":
            if not is_in_word:
                words = words + 1 if is_joined else 1
                if words == STORY_WORDS:
                    return True
            is_in_word, is_joined = True, False
        else:
            is_joined = is_in_word and letter in "-_"
            is_in_word = False
            if letter == "/" and _is_month(path, at):
                return True
    return False


def _is_month(path: str, at: int) -> bool:
    """Return whether a folder such as /2017/3/ begins at a slash."""
    if at + 8 > len(path) or path[at + 5] != "/" or not "0" <= path[at + 6] <= "9":
        return False
    for place in range(at + 1, at + 5):
        if not "0" <= path[place] <= "9":
            return False
    return path[at + 7] == "/" or (at + 8 < len(path) and "0" <= path[at + 7] <= "9" and path[at + 8] == "/")


def is_of_account(text: str) -> bool:
    """Return whether a lower-case path or host is about accounts, newsletters or donations.

    >>> is_of_account("/log-in"), is_of_account("/alerts-x"), is_of_account("/alertsx")
    (True, True, False)
    """
    for word in ACCOUNTS:
        if word in text:
            return True
    at = text.find("alert")
    while at >= 0:
        at += len("alert")
        if _is_word_end(text, at) or (text[at] == "s" and _is_word_end(text, at + 1)):
            return True
        at = text.find("alert", at)
    return False


def _is_word_end(text: str, at: int) -> bool:
    return at >= len(text) or not (text[at].isalnum() or text[at] == "_")


def _of(kinds: list[int], path: str, depth: int) -> Target:
    words = tuple(dict.fromkeys(letter_runs(path, FEWEST_LETTERS)))[:MAX_WORDS]
    named = tuple(["to:" + word for word in words[:MAX_NAMED]])
    return _new_tuple(Target, (tuple(kinds), words, min(depth, MAX_DEPTH), named))
