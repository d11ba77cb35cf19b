"""Text that stands only in data: a stated article body, or a page's state as JSON.

Pages that draw themselves with scripts carry their text in a script. It is looked at only where what the page shows is
much shorter.
"""

import contextlib
import html as entities
import json
import re
from collections.abc import Iterator
from typing import Any

from parcels.articles.stated import Stated
from parcels.page import Page

MUCH = 3.0  # so many times as many words as the visible content has
SHOWN = 60  # words of visible content from which no data is looked at: a page that shows a story has shown it
LEAST_WORDS = 60
SENTENCE = 12  # words from which a string in JSON is taken for text
MAX_BYTES = 3_000_000
MAX_STRINGS = 20_000
_STATE = re.compile(r"__NEXT_DATA__|__NUXT__|__APOLLO_STATE__|__INITIAL_STATE__|__PRELOADED_STATE__")
_TEXT_KEYS = re.compile(
    r"^(?:body|content|text|html|articlebody|bodytext|paragraph|markdown|cooked|message|post|description|value|children)$",
    re.I,
)
_ATTRIBUTES = ("data-preloaded", "data-page", "data-props", "data-state")
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_BREAK = re.compile(r"</?(?:p|div|br|li|h[1-6]|blockquote|tr|ul|ol)\b[^>]*>", re.I)


def hidden_text(page: Page, stated: Stated, shown: int) -> list[str]:
    """The paragraphs of the best text in data, or none where it is not much longer than the `shown` words.

    >>> from parcels.page import read_page
    >>> story = "The pier burnt down in the night and nobody knows why it did so. " * 6
    >>> page = read_page('<p>Loading<script type="application/json">{"post": {"body": "%s"}}</script>' % story)
    >>> len(hidden_text(page, Stated((), "", ""), 1))
    1
    """
    if shown >= SHOWN:
        return []
    least = max(LEAST_WORDS, MUCH * shown)
    for paragraphs in (_plain(stated.body), _state(page)):
        if sum(text.count(" ") + 1 for text in paragraphs) >= least:
            return paragraphs
    return []


def _state(page: Page) -> list[str]:
    found: dict[str, None] = {}
    for text in _data(page):
        start = text.find("{")
        if start < 0 or len(text) > MAX_BYTES:
            continue
        try:
            value, _ = json.JSONDecoder().raw_decode(text[start:])
        except (ValueError, RecursionError):
            continue
        for written in _strings(value):
            for part in _plain(written):
                found.setdefault(part)
    return list(found)


def _data(page: Page) -> Iterator[str]:
    """What may be a page's state: JSON scripts, scripts that set it, and the attributes that carry it."""
    for script in page.root.iter("script"):
        text, kind = script.text or "", script.get("type") or ""
        if "ld+json" not in kind and ("json" in kind or _STATE.search(text[:300])):
            yield text
    for element in page.root.iter("div"):
        yield from (str(value) for name in _ATTRIBUTES if (value := element.get(name)))


def _strings(value: Any) -> Iterator[str]:
    """The strings under keys that hold text, in their order; a stack instead of recursion, for deep data."""
    stack, count = [("", value)], 0
    while stack and count < MAX_STRINGS:
        key, one = stack.pop()
        count += 1
        if isinstance(one, dict):
            stack.extend(reversed(list(one.items())))
        elif isinstance(one, list):
            stack.extend((key, entry) for entry in reversed(one))
        elif isinstance(one, str) and one[:1] == "{":  # data written as text within data
            with contextlib.suppress(ValueError, RecursionError):
                stack.append((key, json.loads(one)))
        elif isinstance(one, str) and one.count(" ") + 1 >= SENTENCE and _TEXT_KEYS.match(str(key)):
            yield one


def _plain(markup: str) -> list[str]:
    """Paragraphs of a text that may hold markup, written out or escaped."""
    if not markup:
        return []
    text = entities.unescape(markup) if "&lt;" in markup else markup
    parts = re.split(r"\n\s*\n|\n", _TAG.sub(" ", _BREAK.sub("\n", text)))
    plain = (" ".join(entities.unescape(part).split()) for part in parts)
    return [part for part in plain if part]
