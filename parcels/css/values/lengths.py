"""CSS lengths: a number and a unit, or a relative length that needs the font size."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from parcels.css.style import Unit

CACHED_LENGTHS = 8192
MAX_PX = 33_554_428.0  # Chromium's largest length: 2^31 sixty-fourths of a pixel
MAX_CALC_DEPTH = 32
MAX_CALC_LENGTH = 2000  # characters
EX_EM = 0.5  # CSS Values and Units 4, section 6.1.1: for unknown fonts, ex and ch are 0.5em
LINE_EM = 1.15  # `normal` line height of the usual fonts
NOMINAL_PX = 1000.0, 800.0, 16.0  # width, height, font size: for min(), max() and mixed calc()

# (px, em, rem, vw, vh, percent) of one unit.
Terms = tuple[float, float, float, float, float, float]
_ZERO: Terms = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def _term(place: int, share: float = 1.0) -> Terms:
    terms = list(_ZERO)
    terms[place] = share
    return (terms[0], terms[1], terms[2], terms[3], terms[4], terms[5])


# CSS Values and Units 4, sections 6.1 and 6.2; a landscape screen: vmin is vh, vmax is vw.
_UNITS: dict[str, Terms] = {
    "px": _term(0),
    "pt": _term(0, 96 / 72),
    "pc": _term(0, 16.0),
    "in": _term(0, 96.0),
    "cm": _term(0, 96 / 2.54),
    "mm": _term(0, 96 / 25.4),
    "q": _term(0, 96 / 101.6),
    "em": _term(1),
    "ex": _term(1, EX_EM),
    "ch": _term(1, EX_EM),
    "cap": _term(1, 0.7),
    "ic": _term(1),
    "lh": _term(1, LINE_EM),
    "rem": _term(2),
    "rlh": _term(2, LINE_EM),
    "rex": _term(2, EX_EM),
    "rch": _term(2, EX_EM),
    "%": _term(5),
    **{f"{kind}{name}": _term(3) for kind in ("", "s", "l", "d") for name in ("vw", "vmax", "vi")},
    **{f"{kind}{name}": _term(4) for kind in ("", "s", "l", "d") for name in ("vh", "vmin", "vb")},
    **{f"cq{name}": _term(3) for name in ("w", "i", "max")},
    **{f"cq{name}": _term(4) for name in ("h", "b", "min")},
}
_KEYWORDS = {
    "auto": Unit.AUTO,
    "none": Unit.AUTO,
    "normal": Unit.AUTO,
    "content": Unit.AUTO,
    "min-content": Unit.MIN_CONTENT,
    "-webkit-min-content": Unit.MIN_CONTENT,
    "max-content": Unit.MAX_CONTENT,
    "-webkit-max-content": Unit.MAX_CONTENT,
    "fit-content": Unit.FIT_CONTENT,
    "-webkit-fit-content": Unit.FIT_CONTENT,
    "stretch": Unit.AUTO,
    "-webkit-fill-available": Unit.AUTO,
}
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)\Z")
_TOKEN = re.compile(r"\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[a-z%]*)|([-a-z]*\()|([-+*/(),])|([-a-z]+))")
_ENVIRONMENT = re.compile(r"env\([^()]*\)")  # the safe areas of telephones: none on a screen
_MATHS = ("calc(", "min(", "max(", "clamp(", "-webkit-calc(", "-moz-calc(", "env(", "fit-content(")


@dataclass(frozen=True, slots=True)
class RelativeLength:
    """A font-relative or viewport-relative length, known once the font size and the screen are."""

    terms: Terms

    def px(self, em: float, rem: float, width: float, height: float) -> float:
        """Return the number of pixels."""
        px, per_em, per_rem, per_vw, per_vh, _ = self.terms
        total = px + per_em * em + per_rem * rem
        if per_vw or per_vh:
            total += (per_vw * width + per_vh * height) / 100
        return total if -MAX_PX <= total <= MAX_PX else bounded(total)


Number = float | RelativeLength
Length = tuple[Number, float]  # number and unit


def bounded(number: float) -> float:
    """Return the number within the range of a browser's lengths; NaN becomes 0.

    >>> bounded(1e30), bounded(float("nan"))
    (33554428.0, 0.0)
    """
    if -MAX_PX <= number <= MAX_PX:
        return number
    return 0.0 if math.isnan(number) else math.copysign(MAX_PX, number)


@lru_cache(CACHED_LENGTHS)
def length(text: str) -> Length | None:
    """Parse a length, percentage or keyword such as auto, in lower case; None for anything else.

    >>> length("50%"), length("2in"), length("wide")
    ((50.0, 2.0), (192.0, 1.0), None)
    """
    number = _NUMBER.match(text)
    if number is None:
        if text in _KEYWORDS:
            return 0.0, float(_KEYWORDS[text])
        if text[-1:] == ")" and text.startswith(_MATHS) and len(text) <= MAX_CALC_LENGTH:
            return _calculated(text)
        return None
    amount = float(number[1])
    unit = _UNITS.get(number[2])
    if unit is not None:
        return _length(tuple(amount * share if share else 0.0 for share in unit))  # type: ignore[arg-type]
    return (0.0, 1.0) if not number[2] and amount == 0 else None


def number(text: str) -> float | None:
    """Parse a plain number, or a percentage as a share; None for anything else.

    >>> number("1.5"), number("50%"), number("1px")
    (1.5, 0.5, None)
    """
    match = _NUMBER.match(text)
    if match is None:
        if text.startswith(_MATHS) and len(text) <= MAX_CALC_LENGTH:
            value = _sum_of(text)
            return bounded(value) if isinstance(value, float) else None
        return None
    if match[2] == "":
        return bounded(float(match[1]))
    return bounded(float(match[1]) / 100) if match[2] == "%" else None


def _length(terms: Terms) -> Length:
    if terms[5]:
        # A percentage with a rest: the rest as a share of the nominal width.
        return bounded(terms[5] + _nominal((*terms[:5], 0.0)) / NOMINAL_PX[0] * 100), float(Unit.PERCENT)
    if terms[1] or terms[2] or terms[3] or terms[4]:
        return RelativeLength(terms), float(Unit.PX)
    return bounded(terms[0]), float(Unit.PX)


def _nominal(terms: Terms) -> float:
    width, height, em = NOMINAL_PX
    return terms[0] + (terms[1] + terms[2]) * em + (terms[3] * width + terms[4] * height + terms[5] * width) / 100


def _calculated(text: str) -> Length | None:
    if text.startswith("fit-content("):
        return 0.0, float(Unit.FIT_CONTENT)
    value = _sum_of(text)
    if value is None:
        return None
    if isinstance(value, float):
        return (0.0, 1.0) if value == 0 else None
    return _length(value)


def _sum_of(text: str) -> float | Terms | None:
    try:
        calculation = _Calculation(text)
        value = calculation.value(0)
        return value if calculation.at == len(calculation.tokens) else None
    except (ValueError, IndexError, ZeroDivisionError, OverflowError):
        return None


class _Calculation:
    """calc(), min(), max(), clamp() by recursive descent. A value is a plain number or the terms of a length."""

    def __init__(self, text: str):
        self.tokens: list[str] = []
        self.at = 0
        end = 0
        text = _ENVIRONMENT.sub("0px", text.strip())
        while end < len(text):
            token = _TOKEN.match(text, end)
            if token is None:
                raise ValueError(text)
            self.tokens.append(token[0].strip())
            end = token.end()

    def value(self, depth: int) -> float | Terms:
        """Parse one operand: a number, a length, or a bracketed expression."""
        if depth > MAX_CALC_DEPTH:
            raise ValueError("too deep")
        token = self.tokens[self.at]
        self.at += 1
        if token[-1] != "(":
            return _operand(token)
        arguments = [self.sum(depth + 1)]
        while self.tokens[self.at] == ",":
            self.at += 1
            arguments.append(self.sum(depth + 1))
        if self.tokens[self.at] != ")":
            raise ValueError(token)
        self.at += 1
        return _call(token, arguments)

    def sum(self, depth: int) -> float | Terms:
        """Parse a sum of products."""
        left = self.product(depth)
        while self.tokens[self.at] in "+-":
            sign = 1.0 if self.tokens[self.at] == "+" else -1.0
            self.at += 1
            left = _added(left, self.product(depth), sign)
        return left

    def product(self, depth: int) -> float | Terms:
        """Parse a product of operands."""
        left = self.value(depth)
        while self.tokens[self.at] in "*/":
            is_division = self.tokens[self.at] == "/"
            self.at += 1
            right = self.value(depth)
            if is_division:
                if not isinstance(right, float):
                    raise ValueError("division by a length")
                left = _scaled(left, 1 / right)
            elif isinstance(right, float):
                left = _scaled(left, right)
            elif isinstance(left, float):
                left = _scaled(right, left)
            else:
                raise ValueError("product of lengths")
        return left


def _operand(token: str) -> float | Terms:
    number = _NUMBER.match(token)
    if number is None:
        raise ValueError(token)
    if not number[2]:
        return float(number[1])
    if number[2] not in _UNITS:
        raise ValueError(token)
    scaled = _scaled(_UNITS[number[2]], float(number[1]))
    assert not isinstance(scaled, float)
    return scaled


def _scaled(value: float | Terms, factor: float) -> float | Terms:
    if isinstance(value, float):
        return value * factor
    px, em, rem, vw, vh, percent = value
    return px * factor, em * factor, rem * factor, vw * factor, vh * factor, percent * factor


def _added(left: float | Terms, right: float | Terms, sign: float) -> float | Terms:
    if isinstance(left, float) and isinstance(right, float):
        return left + sign * right
    if isinstance(left, float) or isinstance(right, float):
        raise ValueError("a number and a length")
    px, em, rem, vw, vh, percent = (a + sign * b for a, b in zip(left, right, strict=True))
    return px, em, rem, vw, vh, percent


def _size(value: float | Terms) -> float:
    return value if isinstance(value, float) else _nominal(value)


def _call(name: str, arguments: list[float | Terms]) -> float | Terms:
    if name == "min(":
        return min(arguments, key=_size)
    if name == "max(":
        return max(arguments, key=_size)
    if name == "clamp(" and len(arguments) == 3:
        return max(arguments[0], min(arguments[1], arguments[2], key=_size), key=_size)
    if name in ("(", "calc(", "-webkit-calc(", "-moz-calc(") and len(arguments) == 1:
        return arguments[0]
    raise ValueError(name)
