"""Text from embedded data: an article body in JSON-LD, or the page's state as JSON.

Pages rendered by scripts carry their text in a script. It is used only where the visible content is much shorter.
Where the page shows the beginning of a story, only a stated body or a document of paragraphs may replace it.
"""

import contextlib
import html as entities
import json
import re
from collections.abc import Iterator
from typing import Any

from parcels.articles.fields.stated import Stated
from parcels.html.page import Page

MUCH = 3.0  # required ratio of words in data to visible words
SHOWN = 60  # visible words from which strings in data are ignored
TEASER = 300  # visible words up to which a stated body or a document of paragraphs is considered
LEAST_WORDS = 60
SENTENCE = 12  # words from which a string in JSON counts as text
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
    """Return the paragraphs of the best text in data; none unless it is much longer than the `shown` words.

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
    """Yield the paragraphs from each kind of data, the most reliable first."""
    yield _plain(stated.body)
    yield _document(page)
    if shown < SHOWN:
        yield _state(page)


def _document(page: Page) -> list[str]:
    """Return the paragraphs of a rich-text document in a page's state.

    >>> from parcels.html.page import read_page
    >>> data = '{"body": [{"type": "paragraph", "content": [{"value": "One "}, {"content": [{"value": "two."}]}]}]}'
    >>> _document(read_page(f'<p>Loading<script type="application/json">{data}</script>'))
    ['One two.']
    """
    paragraphs: dict[str, None] = {}
    for text in _data(page):
        if not _PARAGRAPH_NODE.search(text):
            continue
        for node in _paragraph_nodes(_value(text)):
            for part in _plain("".join(_node_strings(node))):
                paragraphs.setdefault(part)
    return list(paragraphs)


def _paragraph_nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the paragraph nodes of a rich text, in order."""
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
    """Yield the texts below a node, in order."""
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
    """Return the first JSON object in a text; None where there is none, or it is too large or invalid."""
    start = text.find("{")
    if start < 0 or len(text) > MAX_BYTES:
        return None
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0]
    except (ValueError, RecursionError):
        return None


def _data(page: Page) -> Iterator[str]:
    """Yield candidates for the page's state: JSON scripts, scripts that assign it, and attributes with it."""
    for script in page.root.iter("script"):
        text, kind = script.text or "", script.get("type") or ""
        if "ld+json" not in kind and ("json" in kind or _STATE.search(text[:300])):
            yield text
    for element in page.root.iter("div"):
        yield from (str(value) for name in _ATTRIBUTES if (value := element.get(name)))


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings under keys that hold text, in order; iterative, since data may be nested deeply."""
    stack, count = [("", value)], 0
    while stack and count < MAX_STRINGS:
        key, one = stack.pop()
        count += 1
        if isinstance(one, dict):
            stack.extend(reversed(list(one.items())))
        elif isinstance(one, list):
            stack.extend((key, entry) for entry in reversed(one))
        elif isinstance(one, str) and one[:1] == "{":  # JSON inside a JSON string
            with contextlib.suppress(ValueError, RecursionError):
                stack.append((key, json.loads(one)))
        elif isinstance(one, str) and one.count(" ") + 1 >= SENTENCE and _TEXT_KEYS.match(str(key)):
            yield one


def _plain(markup: str) -> list[str]:
    """Return the paragraphs of a text that may contain markup, plain or escaped."""
    if not markup:
        return []
    text = entities.unescape(markup) if "&lt;" in markup else markup
    parts = re.split(r"\n\s*\n|\n", _TAG.sub(" ", _BREAK.sub("\n", text)))
    plain = (" ".join(entities.unescape(part).split()) for part in parts)
    return [part for part in plain if part]
