"""Text that stands only in data: a stated article body, or a page's state as JSON.

Pages that draw themselves with scripts carry their text in a script. It is looked at only where what the page shows is
much shorter. A page that shows the beginning of a story has the rest as a document of paragraphs, if at all.
"""

import contextlib
import html as entities
import json
import re
from collections.abc import Iterator
from typing import Any

from parcels.articles.fields.stated import Stated
from parcels.html.page import Page

MUCH = 3.0  # so many times as many words as the visible content has
SHOWN = 60  # words of visible content from which no data is looked at: a page that shows a story has shown it
TEASER = 300  # words of visible content up to which a stated body or a document of paragraphs is looked for
LEAST_WORDS = 60
SENTENCE = 12  # words from which a string in JSON is taken for text
MAX_BYTES = 3_000_000
MAX_STRINGS = 20_000
_STATE = re.compile(r"__NEXT_DATA__|__NUXT__|__APOLLO_STATE__|__INITIAL_STATE__|__PRELOADED_STATE__")
_TEXT_KEYS = re.compile(
    r"^(?:body|content|text|html|articlebody|bodytext|paragraph|markdown|cooked|message|post|description|value|children)$",
    re.I,
)
_PARAGRAPH_NODE = re.compile(r'"(?:type|nodeType|_type|tag|name)"\s*:\s*"(?:paragraph|p|block)"', re.I)
_KINDS = ("type", "nodeType", "_type", "tag", "name")
_PARAGRAPHS = frozenset(["paragraph", "p", "block"])
_NODE_TEXT = frozenset(["value", "text"])
_ATTRIBUTES = ("data-preloaded", "data-page", "data-props", "data-state")
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_BREAK = re.compile(r"</?(?:p|div|br|li|h[1-6]|blockquote|tr|ul|ol)\b[^>]*>", re.I)


def hidden_text(page: Page, stated: Stated, shown: int) -> list[str]:
    """The paragraphs of the best text in data, or none where it is not much longer than the `shown` words.

    >>> from parcels.html.page import read_page
    >>> story = "The pier burnt down in the night and nobody knows why it did so. " * 6
    >>> page = read_page('<p>Loading<script type="application/json">{"post": {"body": "%s"}}</script>' % story)
    >>> len(hidden_text(page, Stated((), "", ""), 1))
    1
    """
    if shown >= TEASER:
        return []
    least = max(LEAST_WORDS, MUCH * shown)
    for paragraphs in _readings(page, stated, shown):
        if sum(text.count(" ") + 1 for text in paragraphs) >= least:
            return paragraphs
    return []


def _readings(page: Page, stated: Stated, shown: int) -> Iterator[list[str]]:
    """The paragraphs by each way of reading the data, the surest first."""
    yield _plain(stated.body)
    yield _document(page)
    if shown < SHOWN:
        yield _state(page)


def _document(page: Page) -> list[str]:
    """The paragraphs of a document in a page's state, as editors and content systems keep them.

    >>> from parcels.html.page import read_page
    >>> data = '{"body": [{"type": "paragraph", "content": [{"value": "One "}, {"content": [{"value": "two."}]}]}]}'
    >>> _document(read_page(f'<p>Loading<script type="application/json">{data}</script>'))
    ['One two.']
    """
    found: dict[str, None] = {}
    for text in _data(page):
        if not _PARAGRAPH_NODE.search(text):
            continue
        for node in _paragraph_nodes(_value(text)):
            for part in _plain("".join(_node_strings(node))):
                found.setdefault(part)
    return list(found)


def _paragraph_nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Nodes of a rich text that are a paragraph, in their order."""
    stack, count = [value], 0
    while stack and count < MAX_STRINGS:
        one = stack.pop()
        count += 1
        if isinstance(one, dict):
            if any(isinstance(kind := one.get(key), str) and kind.lower() in _PARAGRAPHS for key in _KINDS):
                yield one
            else:
                stack.extend(reversed(list(one.values())))
        elif isinstance(one, list):
            stack.extend(reversed(one))


def _node_strings(node: dict[str, Any]) -> Iterator[str]:
    """The texts below a node, in their order."""
    stack: list[tuple[str, Any]] = [("", node)]
    while stack:
        key, one = stack.pop()
        if isinstance(one, dict):
            stack.extend(reversed(list(one.items())))
        elif isinstance(one, list):
            stack.extend((key, entry) for entry in reversed(one))
        elif isinstance(one, str) and key in _NODE_TEXT:
            yield one


def _state(page: Page) -> list[str]:
    found: dict[str, None] = {}
    for text in _data(page):
        for written in _strings(_value(text)):
            for part in _plain(written):
                found.setdefault(part)
    return list(found)


def _value(text: str) -> Any:
    """The first object in a text; None where there is none, or it is too large or broken."""
    start = text.find("{")
    if start < 0 or len(text) > MAX_BYTES:
        return None
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0]
    except (ValueError, RecursionError):
        return None


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
