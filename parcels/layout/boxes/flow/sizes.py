# cython: infer_types=True, wraparound=False
"""Used widths and heights: CSS sizes and their limits, and natural sizes of replaced elements."""

from math import ceil, inf, nan

from parcels.css.style import Unit
from parcels.html.tags import NAMES
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import MOST_PX
from parcels.layout.boxes.text.metrics import FACES

_AUTO, _PX, _PERCENT = int(Unit.AUTO), int(Unit.PX), int(Unit.PERCENT)
_MIN_CONTENT, _MAX_CONTENT = int(Unit.MIN_CONTENT), int(Unit.MAX_CONTENT)

# Sizes that Chromium 120 gives to what has none of its own (measured on Linux, content boxes).
_NATURAL = {
    "video": (300.0, 150.0),
    "canvas": (300.0, 150.0),
    "iframe": (300.0, 150.0),
    "object": (300.0, 150.0),
    "embed": (300.0, 150.0),
    "applet": (300.0, 150.0),
    "svg": (300.0, 150.0),
    "math": (60.0, 20.0),
    "progress": (160.0, 16.0),
    "meter": (80.0, 16.0),
    "keygen": (130.0, 19.0),
}
_AUDIO = (300.0, 54.0)
_INPUTS = {
    "checkbox": (13.0, 13.0),
    "radio": (13.0, 13.0),
    "range": (129.0, 16.0),
    "color": (46.0, 23.0),
    "file": (253.0, 21.0),
    "date": (119.0, 15.0),
}
_FIELD_LETTERS, _AREA_COLUMNS, _AREA_ROWS = 20, 20, 2  # HTML: the defaults of size, cols and rows
_ARROW = 22.0  # beside the longest option of a select
_BAR = 15.0  # the scroll bar of a textarea
_MOST_LETTERS = 1000
ICON = 16.0  # an image of unknown size: a small square and the text that stands for it, as Chromium shows it
MOST_LABEL = 300.0  # px of that text
LEAST_LABEL = 80.0  # px: its lines are not narrower, words being as long as they are
HEIGHT_OF_WIDTH = 2 / 3  # an image of which one side is known
_IMAGES = frozenset(["img", "image"])


def width_of(s: Screen, row: int, free: float, holder: float) -> float:
    """Return the used border-box width of a block: its CSS width, else the available width."""
    if not s.is_sized[row]:
        return max(0.0, free - s.margin_left[row] - s.margin_right[row])
    width = given_width(s, row, holder)
    if width != width:
        width = free - s.margin_left[row] - s.margin_right[row]
    return limited_width(s, row, width, holder)


def given_width(s: Screen, row: int, holder: float) -> float:
    """Return the border-box width that CSS sets; NaN for auto."""
    unit = s.width_unit[row]
    if unit == _AUTO:
        return nan
    insets = s.left[row] + s.right[row]
    if unit <= _PERCENT:
        width = s.width_number[row] if unit == _PX else s.width_number[row] * holder / 100
        return max(width, insets) if s.is_border_box[row] else max(0.0, width) + insets
    least, most = s.least[row], s.most[row]
    if least != least:
        return nan
    if unit == _MIN_CONTENT:
        return least
    return most if unit == _MAX_CONTENT else min(most, max(least, holder))


def limited_width(s: Screen, row: int, width: float, holder: float) -> float:
    """Return the width constrained by min-width and max-width."""
    if s.is_sized[row]:
        extra = 0.0 if s.is_border_box[row] else s.left[row] + s.right[row]
        width = _at_most(width, s.max_width_unit[row], s.max_width[row], holder, extra)
        width = _at_least(width, s.min_width_unit[row], s.min_width[row], holder, extra)
    return max(width, 0.0)


def given_height(s: Screen, row: int, holder: float) -> float:
    """Return the border-box height that CSS sets; NaN for auto or a percentage of an indefinite height."""
    unit = s.height_unit[row]
    if unit == _PX:
        height = s.height_number[row]
    elif unit == _PERCENT and holder == holder:
        height = s.height_number[row] * holder / 100
    else:
        return nan
    insets = s.top[row] + s.bottom[row]
    return max(height, insets) if s.is_border_box[row] else max(0.0, height) + insets


def limited_height(s: Screen, row: int, height: float, holder: float) -> float:
    """Return the height constrained by min-height and max-height."""
    if s.is_sized[row]:
        extra = 0.0 if s.is_border_box[row] else s.top[row] + s.bottom[row]
        height = _at_most(height, s.max_height_unit[row], s.max_height[row], holder, extra)
        height = _at_least(height, s.min_height_unit[row], s.min_height[row], holder, extra)
    return min(max(height, 0.0), MOST_PX)


def _at_most(size: float, unit: int, number: float, holder: float, extra: float) -> float:
    if unit == _PX or (unit == _PERCENT and holder < inf):
        return min(size, max(0.0, (number if unit == _PX else number * holder / 100) + extra))
    return size


def _at_least(size: float, unit: int, number: float, holder: float, extra: float) -> float:
    if unit == _PX or (unit == _PERCENT and holder < inf):
        return max(size, (number if unit == _PX else number * holder / 100) + extra)
    return size


def replaced_size(s: Screen, row: int, holder: float, holder_height: float) -> tuple[float, float]:
    """Return the used border-box width and height of a replaced element or control."""
    across, along = s.left[row] + s.right[row], s.top[row] + s.bottom[row]
    if s.own_width[row] != s.own_width[row]:
        s.own_width[row], s.own_height[row], s.own_ratio[row] = _natural(s, row)
    natural_width, natural_height, ratio = s.own_width[row], s.own_height[row], s.own_ratio[row]
    if ratio and natural_height == ICON and ICON < holder - across < natural_width:  # a label goes on in a next line
        natural_height *= ceil(natural_width / (holder - across))
        natural_width = holder - across
    if not s.is_sized[row]:
        return natural_width + across, natural_height + along
    if s.width_unit[row] == _PERCENT and holder == inf:
        width = nan
    else:
        width = given_width(s, row, holder if holder < inf else 0.0)
    height = given_height(s, row, holder_height)
    is_high = height == height
    if width != width:
        width = natural_width + across
        if is_high and ratio:
            width = (height - along) / ratio + across
    if not is_high:
        height = natural_height + along
        if ratio and s.width_unit[row] != _AUTO:
            height = (width - across) * ratio + along
    limited = limited_width(s, row, width, holder)
    if limited != width and ratio and not is_high:
        height = (limited - across) * ratio + along
    return min(limited, MOST_PX), limited_height(s, row, height, holder_height)


def least_label(s: Screen, row: int) -> float:
    """Return the minimum border-box width of the alternative text of an image of unknown size; infinite otherwise."""
    is_label = s.own_ratio[row] and s.own_height[row] == ICON and s.width_unit[row] == _AUTO
    return LEAST_LABEL + s.left[row] + s.right[row] if is_label else inf


def _natural(s: Screen, row: int) -> tuple[float, float, float]:
    """Return natural width, height, and the aspect ratio height / width (0 for none)."""
    given = s.attributes[row]
    tag = NAMES[s.tag[row]]
    if tag in _IMAGES or (tag == "input" and (given.get("type") or "").lower() == "image"):
        width, height = _pixels(given.get("width")), _pixels(given.get("height"))
        if width and height:
            return width, height, height / width
        if width:
            return width, width * HEIGHT_OF_WIDTH, HEIGHT_OF_WIDTH
        if height:
            return height / HEIGHT_OF_WIDTH, height, HEIGHT_OF_WIDTH
        if width == 0 or height == 0:
            return 0.0, 0.0, 0.0
        return ICON + _label_width(s, row, (given.get("alt") or "").strip()), ICON, HEIGHT_OF_WIDTH
    if tag == "input":
        return *_input(s, row), 0.0
    size = s.font_size[row]
    letter = FACES[s.face[row]].words["x"] * size
    if tag == "select":
        words = FACES[s.face[row]].words
        labels = [(option.text or "").strip() for option in s.elements[row].iter("option")][:_MOST_LETTERS]
        longest = max((words[label[:_MOST_LETTERS]] for label in labels), default=0.0)
        rows = _count(given.get("size"), 4 if given.get("multiple") is not None else 1)
        return longest * size + _ARROW, (size * 1.2 + 1.0) * rows, 0.0
    if tag == "textarea":
        columns, rows = _count(given.get("cols"), _AREA_COLUMNS), _count(given.get("rows"), _AREA_ROWS)
        return columns * max(letter, size * 0.6) + _BAR, rows * s.line_height[row], 0.0
    if tag == "audio":
        return (*_AUDIO, 0.0) if given.get("controls") is not None else (0.0, 0.0, 0.0)
    width, height = _NATURAL.get(tag, (0.0, 0.0))
    across, along = _pixels(given.get("width")), _pixels(given.get("height"))
    width, height = width if across is None else across, height if along is None else along
    if tag == "svg":
        return _drawing(given.get("viewBox") or given.get("viewbox"), (across, along), width, height)
    ratio = height / width if tag == "video" and width else 0.0
    return width, height, ratio


def _label_width(s: Screen, row: int, label: str) -> float:
    """Return the width of an image's alternative text, up to the maximum that is shown."""
    letters: dict[str, float] = FACES[s.face[row]].letters
    width, size = 0.0, s.font_size[row]
    for letter in label[:_MOST_LETTERS]:
        width += letters[letter]
        if width * size > MOST_LABEL:
            return MOST_LABEL
    return width * size


def _drawing(
    view: str | None, given: tuple[float | None, float | None], width: float, height: float
) -> tuple[float, float, float]:
    """Return the natural size of an SVG, with the proportions of its view box."""
    try:
        _, _, across, along = [float(part) for part in (view or "").replace(",", " ").split()]
    except ValueError:
        return width, height, 0.0
    if not (0 < across < MOST_PX and 0 < along < MOST_PX):
        return width, height, 0.0
    ratio = along / across
    if given[0] is None and given[1] is not None:
        width = height / ratio
    elif given[1] is None:
        height = width * ratio
    return width, height, ratio


def _input(s: Screen, row: int) -> tuple[float, float]:
    given = s.attributes[row]
    kind = (given.get("type") or "text").lower()
    if kind == "hidden":
        return 0.0, 0.0
    if kind in _INPUTS:
        return _INPUTS[kind]
    face, size = FACES[s.face[row]], s.font_size[row]
    high = max(s.line_height[row], size * 1.15)
    if kind in ("submit", "button", "reset"):
        text = given.get("value") or ("" if kind == "button" else kind.title())
        return sum(map(face.words.__getitem__, text.split())) * size + face.blank * size * text.count(" "), high
    letters = _count(given.get("size"), _FIELD_LETTERS)
    return letters * size * 0.6 + size * 0.65, high  # 8 px a letter and 9 more at 13.33 px


def _count(text: str | None, default: int) -> int:
    try:
        number = int(text or default)
    except ValueError:
        return default
    return min(number, _MOST_LETTERS) if number > 0 else default


def _pixels(text: str | None) -> float | None:
    """Return the pixels of a width or height attribute; None if it is missing or a percentage."""
    if not text:
        return None
    text = text.strip().removesuffix("px")
    try:
        number = float(text)
    except ValueError:
        return None
    return min(number, MOST_PX) if number >= 0 else None
