"""Sanitized style sheets: addresses, imports and fonts are removed, the rest is kept.

Names are read as a browser reads them, escapes included (`\\75 rl(` is `url(`), so that spelling hides nothing.
"""

import re
from functools import lru_cache

SCREEN_HEIGHT = 800  # of the window that a page is rendered for
MAX_DATA = 200_000  # characters of an image that stands in the sheet itself

_NAME = r"(?:[-_a-zA-Z0-9\u0080-\U0010ffff]|\\[0-9a-fA-F]{1,6}[ \t\n\r\f]?|\\[^\n\r\f0-9a-fA-F])+"
_TOKEN = re.compile(
    rf"""/\*(?s:.*?)(?:\*/|\Z)                       # comment
    |"(?:[^"\\\n]|\\(?s:.))*+"?|'(?:[^'\\\n]|\\(?s:.))*+'?  # string
    |@(?P<rule>{_NAME})|(?P<function>{_NAME})\(|{_NAME}""",
    re.X,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.S)
_HEIGHT = re.compile(r"(\d+(?:\.\d+)?|\.\d+)[dsl]?v[hb]", re.I)
_DATA = re.compile(r"""\s*(["']?)data:image/(?:png|gif|jpe?g|webp|svg\+xml)[;,][^"'()\\]*\1\s*""", re.I)
_ASKING = frozenset(["url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade",
                     "element", "-moz-element", "expression", "attr", "url-prefix", "domain", "paint"])  # fmt: skip
_ASKING_RULES = frozenset(["import", "font-face", "namespace", "charset", "document", "-moz-document"])
_OPENING = re.compile(r"<(?=[a-zA-Z/!?])")  # inside an `svg`, a browser reads tags in a sheet; `width <= 9px` stays
_BINDING = frozenset(["behavior", "-ms-behavior", "-moz-binding"])


@lru_cache(maxsize=256)
def safe_css(text: str) -> str:
    r"""Return a style sheet without anything that loads a resource.

    >>> safe_css("@import 'x.css'; a { background: red url(http://x/y.png) } b { height: 50vh; width: \\75 rl(q) }")
    ' a { background: red none } b { height: 400px; width: none }'
    """
    out: list[str] = []
    at = 0
    while (token := _TOKEN.search(text, at)) is not None:
        out.append(text[at : token.start()])
        at = token.end()
        if token["rule"] is not None:
            if _plain(token["rule"]) in _ASKING_RULES:
                at = _end_of_rule(text, at)
            else:
                out.append(token[0])
        elif token["function"] is not None:
            name = _plain(token["function"])
            end = _end_of_function(text, at) if name in _ASKING else at
            inside = text[at : end - 1]
            is_kept = name not in _ASKING or (name == "url" and len(inside) < MAX_DATA and _DATA.fullmatch(inside))
            out.append(f"{token[0]}{text[at:end]}" if is_kept else "none")
            at = end
        elif token[0][0] == "/":
            continue
        else:
            out.append(_word(token[0]))
    out.append(text[at:])
    return _OPENING.sub(r"\\3c ", "".join(out)).replace("\0", " ")


def _word(text: str) -> str:
    """Return a viewport height in pixels, since the frame is as high as the page; other words unchanged."""
    height = _HEIGHT.fullmatch(text)
    if height is not None:
        return f"{float(height[1]) * SCREEN_HEIGHT / 100:g}px"
    return "--gone" if _plain(text) in _BINDING else text


def _plain(name: str) -> str:
    return _ESCAPE.sub(_unescaped, name).lower()


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return str(match[2])
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _end_of_function(text: str, at: int) -> int:
    """Return the position after the closing bracket of a function; strings and escapes are skipped."""
    depth, quote = 1, ""
    while at < len(text) and depth:
        sign = text[at]
        if sign == "\\":
            at += 1
        elif quote:
            quote = "" if sign in (quote, "\n") else quote
        elif sign in "\"'":
            quote = sign
        else:
            depth += (sign == "(") - (sign == ")")
        at += 1
    return min(at, len(text))


def _end_of_rule(text: str, at: int) -> int:
    """Return the position after the semicolon or block that ends an at-rule."""
    depth, quote = 0, ""
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif quote:
            quote = "" if sign in (quote, "\n") else quote
        elif sign in "\"'":
            quote = sign
        elif sign == ";" and not depth:
            return at + 1
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth <= 0:
                return at + (depth == 0)  # a lone closing brace belongs to what is around the rule
        at += 1
    return len(text)
