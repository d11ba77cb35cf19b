"""Inline Markdown from leaves: emphasis, code and links, with markup characters escaped."""

import contextlib
import re
from itertools import groupby
from urllib.parse import quote, urljoin

from parcels.html.page import Page
from parcels.html.tags import IS_BLOCK_LEVEL

STRONG, _EMPHASIS, _CODE = 1, 2, 4
_STYLES = {"b": STRONG, "strong": STRONG, "i": _EMPHASIS, "em": _EMPHASIS}
_STYLES |= dict.fromkeys(["code", "kbd", "samp", "tt"], _CODE)
_MARKS = {0: "", STRONG: "**", _EMPHASIS: "*", STRONG | _EMPHASIS: "***"}
_NO_TARGET = ("javascript:", "data:", "#")
_SPECIAL = re.compile(r"[*`]|\\(?=[!-/:-@\[-`{-~])|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[])|~(?=~)")
_LINE_START = re.compile(r"(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\d{1,9}(?=[.)](?:\s|$))|\[(?=[^\]]+\]:)|[-=]{3,}\s*$|~~~)")


class Inline:
    """Writes leaves as inline Markdown and caches the style of each element."""

    def __init__(self, page: Page, base: str | None, *, has_links: bool):
        self.page, self.base = page, base
        leaves, nodes = page.leaves, page.nodes
        self._texts, self._is_text = leaves.text, [kind == "text" for kind in leaves.kind]
        # Lists, since access to single elements of an array is slow.
        self._node, self._is_spaced, self._parent = (
            leaves.node.tolist(),
            leaves.is_spaced.tolist(),
            nodes.parent.tolist(),
        )
        self._link = nodes.link[leaves.node].tolist() if has_links else [-1] * len(leaves)
        self._is_block = IS_BLOCK_LEVEL[nodes.tag].tolist()
        self._style: dict[int, int] = {-1: 0}

    def text(self, first: int, end: int, *, without: int = 0) -> str:
        """Return the Markdown of the text leaves from `first` up to `end`; `without` leaves out styles.

        >>> from parcels.html.page import read_page
        >>> Inline(read_page("<p>2 * <b>3</b> <a href=x>is <i>six</i></a>"), "http://e/", has_links=True).text(0, 4)
        '2 \\\\* **3** [is *six*](http://e/x)'
        """
        joined: list[str] = []
        texts = [leaf for leaf in range(first, end) if self._is_text[leaf]]
        for link, group in groupby(texts, self._link.__getitem__):
            leaves = list(group)
            inner, address = self._styled(leaves, without), self._target(link) if link >= 0 else ""
            blank = " " if joined and self._is_spaced[leaves[0]] else ""
            joined.append(f"{blank}[{inner}]({address})" if address else blank + inner)
        return "".join(joined)

    def _styled(self, texts: list[int], without: int) -> str:
        """Return the text of leaves that share one link or none."""
        joined: list[str] = []
        for style, group in groupby(texts, lambda leaf: self._style_of(self._node[leaf]) & ~without):
            run = list(group)
            text = self._texts[run[0]] + "".join(" " * self._is_spaced[leaf] + self._texts[leaf] for leaf in run[1:])
            joined.append((" " if joined and self._is_spaced[run[0]] else "") + _marked(style, text))
        return "".join(joined)

    def _style_of(self, row: int) -> int:
        """Return the styles of an element and its ancestors, up to the block around it."""
        climbed = []
        while row not in self._style and not self._is_block[row]:
            climbed.append(row)
            row = self._parent[row]
        style = self._style.setdefault(row, 0)
        for inner in reversed(climbed):
            style |= _STYLES.get(self.page.nodes.tags[inner], 0)
            self._style[inner] = style
        return style

    def _target(self, link: int) -> str:
        href = self.page.nodes.attributes[link].get("href", "").strip()
        return "" if not href or href.lower().startswith(_NO_TARGET) else target(href, self.base)


def _marked(style: int, text: str) -> str:
    if style & _CODE:
        return code(text)
    mark = _MARKS[style] if any(sign.isalnum() for sign in text) else ""
    return f"{mark}{escaped(text)}{mark}"


def code(text: str) -> str:
    """Return a text as inline code, between more backticks than its longest run of them.

    >>> code("a = 1"), code("a ` b")
    ('`a = 1`', '`` a ` b ``')
    """
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", text))))
    return f"{fence} {text} {fence}"


def escaped(text: str) -> str:
    r"""Return a text with a backslash before each character that Markdown reads as markup.

    >>> print(escaped("snake_case, *star*, <b> and [1](x)"))
    snake_case, \*star\*, \<b> and [1\](x)
    """
    return _SPECIAL.sub(r"\\\g<0>", text)


def escaped_start(line: str) -> str:
    r"""Return the first line of a block, escaped if it would start a heading, quotation, list or rule.

    >>> escaped_start("1. May was cold"), escaped_start("# 1"), escaped_start("1.5 m")
    ('1\\. May was cold', '\\# 1', '1.5 m')
    """
    match = _LINE_START.match(line)
    if match is None:
        return line
    end = match.end()
    return f"{line[:end]}\\{line[end:]}" if match[0].isdigit() else f"\\{line}"


def target(address: str, base: str | None) -> str:
    """Return an address as a link target: absolute where `base` is known, with blanks and brackets encoded.

    >>> target("a (1).html", "https://e.example/b/")
    'https://e.example/b/a%20%281%29.html'
    """
    with contextlib.suppress(ValueError):  # an invalid bracket in the address
        address = urljoin(base, address) if base else address
    return re.sub(r"[\s()<>\\\x00-\x1f]", lambda sign: quote(sign[0], safe=""), address)
