"""Values of a query as text, for a terminal, CSV and JSON."""

import datetime as dt
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN_DIGITS = 10  # of a float in a table, so that 0.1 + 0.2 prints as 0.3
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # spreadsheets take texts with these prefixes for formulas
QUOTE = '"'
CSV_SPECIAL = frozenset(',"\r\n')
MIN_WIDTH = 8  # of a shrunk column
_NUMBERS = (int, float, Decimal)


def plain(value: Any) -> Any:
    """Convert a value to JSON types.

    >>> plain({"at": dt.date(2024, 5, 1), "html": b"caf\\xe9", "sum": Decimal(3)})
    {'at': '2024-05-01', 'html': 'caf\\\\xe9', 'sum': 3}
    """
    if value is None or isinstance(value, str | bool | float):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, Decimal):
        return plain(int(value)) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "nanoseconds"):  # an interval
        return f"{value.months} months {value.days} days {dt.timedelta(microseconds=value.nanoseconds // 1000)}"
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)


def as_json(value: Any) -> str:
    """Return a value as JSON on one line."""
    return orjson.dumps(plain(value)).decode()


def as_text(value: Any) -> str:
    """Return a cell of CSV; nested values are JSON, null is empty.

    >>> as_text(None), as_text([1, None]), as_text(True)
    ('', '[1,null]', 'true')
    """
    simple = plain(value)
    if simple is None:
        return ""
    return simple if isinstance(simple, str) else as_json(simple)


def csv_line(cells: Sequence[str]) -> str:
    r"""Return a line of CSV; Python's own writer does not quote a lone carriage return, which its reader then refuses.

    >>> csv_line(["a,b", "\r", "n"])
    '"a,b","\r",n\n'
    """
    quoted = (f'"{cell.replace(QUOTE, 2 * QUOTE)}"' if set(cell) & CSV_SPECIAL else cell for cell in cells)
    return (",".join(quoted) or 2 * QUOTE) + "\n"


def visible(text: str) -> str:
    r"""Return a text that cannot move the cursor, change colours or reverse its neighbours.

    >>> visible("a\tb\x1b[31m\u202e")
    'a\\tb\\x1b[31m\\u202e'
    """
    if text.isprintable():
        return text
    shown = (char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return "".join(shown)


def neutral(text: str) -> str:
    r"""Return a text that spreadsheets do not take for a formula, without control characters except line breaks.

    >>> neutral("=cmd|' /C calc'!A0"), neutral("-1"), neutral("a\x00\nb"), neutral("a-b")
    ("'=cmd|' /C calc'!A0", "'-1", 'a\\x00\nb', 'a-b')
    """
    shown = "".join(char if char in "\t\r\n" else visible(char) for char in text) if not text.isprintable() else text
    return f"'{shown}" if text.startswith(FORMULA) else shown


def rounded(value: Any) -> Any:
    """Return a float without rounding noise; other values unchanged.

    >>> rounded(0.1 + 0.2), rounded(1234567.891), rounded(1e-12), rounded("x")
    (0.3, 1234567.891, 1e-12, 'x')
    """
    return float(f"{value:.{SHOWN_DIGITS}g}") if isinstance(value, float) else value


def shortened(value: Any, kind: "pa.DataType") -> Any:
    """Return a value of an Arrow type with 32-bit floats in their shortest decimal form.

    >>> import pyarrow as pa
    >>> value = pa.scalar([{"score": 0.1}], pa.list_(pa.struct({"score": pa.float32()})))
    >>> value.as_py(), shortened(value.as_py(), value.type)
    ([{'score': 0.10000000149011612}], [{'score': 0.1}])
    """
    import numpy as np
    import pyarrow as pa

    if value is None:
        return None
    if pa.types.is_float32(kind):
        return float(str(np.float32(value)))
    if pa.types.is_struct(kind):
        return {field.name: shortened(value[field.name], field.type) for field in kind}
    if pa.types.is_map(kind):
        return [(shortened(key, kind.key_type), shortened(item, kind.item_type)) for key, item in value]
    return [shortened(item, kind.value_type) for item in value] if isinstance(value, list) else value


def width_of(text: str) -> int:
    """Return the number of terminal columns of a text.

    >>> width_of("日本 a")
    6
    """
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, width: int) -> str:
    """Return a text of at most `width` columns, with an ellipsis if it was cut.

    >>> cut("headline", 5), cut("日本語", 5)
    ('head…', '日本…')
    """
    if width_of(text) <= width:
        return text
    room, kept = width - 1, []
    for char in text:
        room -= _width(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def draw(names: Sequence[str], rows: Sequence[Sequence[Any]], *, limit: int | None, room: int | None) -> str:
    """Return a table. Cells are at most `limit` wide (0: no limit); the widest columns shrink until it fits `room`.

    >>> print(draw(["host", "pages"], [("a.example", 12), (None, 3)], limit=None, room=None), end="")
    host       pages
    ---------  -----
    a.example     12
                   3
    """
    longest = ((limit or room or 1000) + 1) if limit != 0 else None  # do not escape megabytes to show sixty characters
    head = [visible(name) for name in names]
    cells = [[visible(as_text(value)[:longest]) for value in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(head, *cells, strict=True)]
    if limit:
        widths = [min(width, limit) for width in widths]
    if room is not None:
        widths = _fit(widths, room)
    is_number = [
        bool(rows)
        and all(value is None or (isinstance(value, _NUMBERS) and not isinstance(value, bool)) for value in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(names)
    lines = [_line(head, widths, is_number), "  ".join("-" * width for width in widths)]
    lines += [_line(row, widths, is_number) for row in cells]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _fit(widths: list[int], room: int) -> list[int]:
    widths = list(widths)
    while sum(widths) + 2 * (len(widths) - 1) > room:
        widest = widths.index(max(widths))
        if widths[widest] <= MIN_WIDTH:
            break
        widths[widest] -= 1
    return widths


def _line(cells: Sequence[str], widths: Sequence[int], is_number: Sequence[bool]) -> str:
    out = []
    for cell, width, right in zip(cells, widths, is_number, strict=True):
        text = cut(cell, width)
        blanks = " " * (width - width_of(text))
        out.append(blanks + text if right else text + blanks)
    return "  ".join(out)
