"""Media queries and @supports, evaluated for a screen of a given size."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from parcels.css.values.lengths import RelativeLength, length

CACHED_QUERIES = 2048
MAX_QUERY = 2000  # characters; longer ones never match
FONT_PX = 16.0  # em in a media query is the initial font size: Media Queries 4, section 1.3

_FEATURE = re.compile(r"(min-|max-)?([-a-z]+)\s*(?::\s*(.+))?\Z", re.S)
_RANGE = re.compile(r"([^<>=]+?)\s*(<=|>=|<|>|=)\s*([^<>=]+?)\s*(?:(<=|>=|<|>|=)\s*([^<>=]+?)\s*)?\Z", re.S)
_RATIO = re.compile(r"([\d.]+)(?:\s*/\s*([\d.]+))?\Z")
_CALL = re.compile(r"[-\w]*\(")
_WORD = re.compile(r"[^\s()]+")
_TYPES = frozenset(["all", "screen", ""])


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen that pages are laid out on, in px."""

    width: float = 1000.0
    height: float = 800.0


DEFAULT_SCREEN = Screen()
# A desktop with a mouse and nothing preferred: Media Queries 5.
_FACTS = {
    "orientation": "landscape",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "prefers-reduced-data": "no-preference",
    "prefers-contrast": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "scripting": "none",
    "update": "fast",
    "scan": "progressive",
    "display-mode": "browser",
    "overflow-block": "scroll",
    "overflow-inline": "scroll",
    "color-gamut": "srgb",
    "dynamic-range": "standard",
    "device-posture": "continuous",
}
_NUMBERS = {"color": 8.0, "monochrome": 0.0, "grid": 0.0, "color-index": 0.0, "-webkit-transform-3d": 1.0}


@lru_cache(CACHED_QUERIES)
def media_holds(text: str, screen: Screen = DEFAULT_SCREEN) -> bool:
    """Return whether a media query list matches the screen.

    >>> media_holds("screen and (min-width: 600px)"), media_holds("print"), media_holds("(400px <= width < 900px)")
    (True, False, False)
    """
    if len(text) > MAX_QUERY:
        return False
    text = text.strip().lower()
    return not text or any(_query_holds(part.strip(), screen) for part in text.split(","))


def _query_holds(text: str, screen: Screen) -> bool:
    negated = False
    head = re.match(r"(not|only)?\s*([-a-z]+)?(?:\s+and\s+|\Z)", text)
    if head is not None and (head[2] or "") not in ("not", "only") and head[0]:
        negated = head[1] == "not"
        holds = (head[2] or "") in _TYPES
        rest = text[head.end() :]
        if rest:
            result = _evaluate(rest, lambda inside: _feature_holds(inside.strip(), screen))
            if result is None:
                return False  # an unknown query is `not all`
            holds = holds and result
        return holds != negated
    return bool(_evaluate(text, lambda inside: _feature_holds(inside.strip(), screen)))


def _evaluate(text: str, ask: Callable[[str], bool | None], depth: int = 0) -> bool | None:
    """Evaluate conditions in brackets, joined by and, or and not; None if one is not understood."""
    text = text.strip()
    if depth > 16 or not text:
        return None
    result: bool | None = None
    word, negated, at = "", False, 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        call = _CALL.match(text, at)
        if call is not None:
            start = call.end() - 1
            end = _closing(text, start)
            inside = text[start + 1 : end]
            if start > at:
                value = ask(f"{text[at:start]}({inside})")
            elif inside.lstrip().startswith(("(", "not ", "not(")) or re.match(r"\s*selector\(", inside):
                value = _evaluate(inside, ask, depth + 1)
            else:
                value = ask(inside)
            if value is not None and negated:
                value = not value
            negated = False
            if word == "or":
                result = value if result is None else (result or bool(value))
            elif word == "and":
                result = None if result is None or value is None else result and value
            else:
                result = value
            at = end + 1
            continue
        token = _WORD.match(text, at)
        if token is None:
            return None
        if token[0] == "not":
            negated = True
        elif token[0] in ("and", "or"):
            word = token[0]
        else:
            return None
        at += len(token[0])
    return result


def _closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at
    return len(text)


def _feature_holds(text: str, screen: Screen) -> bool | None:
    if "<" in text or ">" in text or "=" in text:
        return _range_holds(text, screen)
    feature = _FEATURE.match(text)
    if feature is None:
        return None
    edge, name, value = feature[1] or "", feature[2], (feature[3] or "").strip()
    if name.startswith(("-webkit-min-", "-webkit-max-")):
        edge, name = name.removeprefix("-webkit-")[:4], name.removeprefix("-webkit-")[4:]
    name = name.removeprefix("device-") if name in ("device-width", "device-height", "device-aspect-ratio") else name
    if name in _FACTS:
        if not value:
            return _FACTS[name] not in ("none", "no-preference")
        return _FACTS[name] == value
    actual = _actual(name, screen)
    if actual is None:
        return None
    if not value:
        return actual != 0
    limit = _parse_number(value)
    if limit is None:
        return None
    return actual >= limit if edge == "min-" else actual <= limit if edge == "max-" else actual == limit


def _range_holds(text: str, screen: Screen) -> bool | None:
    parts = _RANGE.match(text)
    if parts is None:
        return None
    first, sign, second, sign2, third = parts.groups()
    left, right = _actual(first.strip(), screen), _actual(second.strip(), screen)
    left = _parse_number(first) if left is None else left
    right = _parse_number(second) if right is None else right
    if left is None or right is None:
        return None
    holds = _compare(left, sign, right)
    if sign2:
        end = _parse_number(third)
        if end is None:
            return None
        holds = holds and _compare(right, sign2, end)
    return holds


def _compare(left: float, sign: str, right: float) -> bool:
    if sign[0] == "<":
        return left < right or (sign == "<=" and left == right)
    if sign[0] == ">":
        return left > right or (sign == ">=" and left == right)
    return left == right


def _actual(name: str, screen: Screen) -> float | None:
    if name == "width" or name == "device-width":
        return screen.width
    if name == "height" or name == "device-height":
        return screen.height
    if name in ("aspect-ratio", "device-aspect-ratio"):
        return screen.width / screen.height
    if name in ("resolution", "device-pixel-ratio"):
        return 1.0
    return _NUMBERS.get(name)


def _parse_number(text: str) -> float | None:
    ratio = _RATIO.match(text)
    if ratio is not None:
        try:
            return float(ratio[1]) / float(ratio[2] or 1)
        except (ValueError, ZeroDivisionError):
            return None
    for unit, share in (("dpi", 1 / 96), ("dppx", 1.0), ("dpcm", 2.54 / 96), ("x", 1.0)):
        if (text.endswith(unit) and not text.endswith(("px", "ex"))) or (text.endswith("dppx") and unit == "dppx"):
            try:
                return float(text[: -len(unit)]) * share
            except ValueError:
                return None
    parsed = length(text)
    if parsed is None or parsed[1] != 1.0:
        return None
    return parsed[0].px(FONT_PX, FONT_PX, 1000.0, 800.0) if isinstance(parsed[0], RelativeLength) else parsed[0]


@lru_cache(CACHED_QUERIES)
def supports(text: str) -> bool:
    """Return whether an @supports condition holds in a current browser.

    >>> supports("(display: grid) and (not (-moz-appearance: none))"), supports("(-ms-ime-align: auto)")
    (True, False)
    """
    if len(text) > MAX_QUERY:
        return False
    return bool(_evaluate(text.lower(), _supports_one))


def _supports_one(inside: str) -> bool:
    if inside.startswith(("selector(", "font-tech(", "font-format(")):
        return "-moz-" not in inside and "-ms-" not in inside
    name, colon, value = inside.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or not value:
        return False
    if name.startswith(("-moz-", "-ms-", "-o-", "-khtml-", "_", "*")):
        return False
    if name in ("-webkit-touch-callout", "-webkit-overflow-scrolling", "-apple-pay-button-style"):
        return False  # used to detect Safari
    return not value.startswith(("-moz-", "-ms-", "-apple-"))
