# cython: infer_types=True, wraparound=False
"""Used widths and heights: CSS sizes and their limits, and natural sizes of replaced elements."""

from math import ceil, inf, nan

from parcels.css.style import Unit
from parcels.html.tags import NAMES
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import MAX_PX
from parcels.layout.boxes.text.metrics import FACES

_AUTO, _PX, _PERCENT = int(Unit.AUTO), int(Unit.PX), int(Unit.PERCENT)
_MIN_CONTENT, _MAX_CONTENT = int(Unit.MIN_CONTENT), int(Unit.MAX_CONTENT)

# Chromium 120's default sizes of replaced elements (measured on Linux, content boxes).
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
_MAX_LETTERS = 1000
ICON = 16.0  # an image of unknown size: an icon and the alternative text, as in Chromium
MAX_LABEL = 300.0  # px of that text
MIN_LABEL = 80.0  # px: its lines are not narrower, words being as long as they are
HEIGHT_OF_WIDTH = 2 / 3  # an image of which one side is known
_IMAGES = frozenset(["img", "image"])


def used_block_width(t: BoxTree, row: int, free: float, container: float) -> float:
    """Return the used border-box width of a block: its CSS width, else the available width."""
    if not t.is_sized[row]:
        return max(0.0, free - t.margin_left[row] - t.margin_right[row])
    width = specified_width(t, row, container)
    if width != width:
        width = free - t.margin_left[row] - t.margin_right[row]
    return constrained_width(t, row, width, container)


def specified_width(t: BoxTree, row: int, container: float) -> float:
    """Return the border-box width that CSS sets; NaN for auto."""
    unit = t.width_unit[row]
    if unit == _AUTO:
        return nan
    insets = t.left[row] + t.right[row]
    if unit <= _PERCENT:
        width = t.width_number[row] if unit == _PX else t.width_number[row] * container / 100
        return max(width, insets) if t.is_border_box[row] else max(0.0, width) + insets
    least, most = t.min_content[row], t.max_content[row]
    if least != least:
        return nan
    if unit == _MIN_CONTENT:
        return least
    return most if unit == _MAX_CONTENT else min(most, max(least, container))


def constrained_width(t: BoxTree, row: int, width: float, container: float) -> float:
    """Return the width constrained by min-width and max-width."""
    if t.is_sized[row]:
        extra = 0.0 if t.is_border_box[row] else t.left[row] + t.right[row]
        width = _at_most(width, t.max_width_unit[row], t.max_width[row], container, extra)
        width = _at_least(width, t.min_width_unit[row], t.min_width[row], container, extra)
    return max(width, 0.0)


def specified_height(t: BoxTree, row: int, container: float) -> float:
    """Return the border-box height that CSS sets; NaN for auto or a percentage of an indefinite height."""
    unit = t.height_unit[row]
    if unit == _PX:
        height = t.height_number[row]
    elif unit == _PERCENT and container == container:
        height = t.height_number[row] * container / 100
    else:
        return nan
    insets = t.top[row] + t.bottom[row]
    return max(height, insets) if t.is_border_box[row] else max(0.0, height) + insets


def constrained_height(t: BoxTree, row: int, height: float, container: float) -> float:
    """Return the height constrained by min-height and max-height."""
    if t.is_sized[row]:
        extra = 0.0 if t.is_border_box[row] else t.top[row] + t.bottom[row]
        height = _at_most(height, t.max_height_unit[row], t.max_height[row], container, extra)
        height = _at_least(height, t.min_height_unit[row], t.min_height[row], container, extra)
    return min(max(height, 0.0), MAX_PX)


def _at_most(size: float, unit: int, number: float, container: float, extra: float) -> float:
    if unit == _PX or (unit == _PERCENT and container < inf):
        return min(size, max(0.0, (number if unit == _PX else number * container / 100) + extra))
    return size


def _at_least(size: float, unit: int, number: float, container: float, extra: float) -> float:
    if unit == _PX or (unit == _PERCENT and container < inf):
        return max(size, (number if unit == _PX else number * container / 100) + extra)
    return size


def replaced_size(t: BoxTree, row: int, container: float, container_height: float) -> tuple[float, float]:
    """Return the used border-box width and height of a replaced element or control."""
    across, along = t.left[row] + t.right[row], t.top[row] + t.bottom[row]
    if t.natural_width[row] != t.natural_width[row]:
        t.natural_width[row], t.natural_height[row], t.natural_ratio[row] = _natural(t, row)
    natural_width, natural_height, ratio = t.natural_width[row], t.natural_height[row], t.natural_ratio[row]
    if ratio and natural_height == ICON and ICON < container - across < natural_width:  # a label goes on in a next line
        natural_height *= ceil(natural_width / (container - across))
        natural_width = container - across
    if not t.is_sized[row]:
        return natural_width + across, natural_height + along
    if t.width_unit[row] == _PERCENT and container == inf:
        width = nan
    else:
        width = specified_width(t, row, container if container < inf else 0.0)
    height = specified_height(t, row, container_height)
    is_high = height == height
    if width != width:
        width = natural_width + across
        if is_high and ratio:
            width = (height - along) / ratio + across
    if not is_high:
        height = natural_height + along
        if ratio and t.width_unit[row] != _AUTO:
            height = (width - across) * ratio + along
    limited = constrained_width(t, row, width, container)
    if limited != width and ratio and not is_high:
        height = (limited - across) * ratio + along
    return min(limited, MAX_PX), constrained_height(t, row, height, container_height)


def min_label_width(t: BoxTree, row: int) -> float:
    """Return the minimum border-box width of the alternative text of an image of unknown size; infinite otherwise."""
    is_label = t.natural_ratio[row] and t.natural_height[row] == ICON and t.width_unit[row] == _AUTO
    return MIN_LABEL + t.left[row] + t.right[row] if is_label else inf


def _natural(t: BoxTree, row: int) -> tuple[float, float, float]:
    """Return natural width, height, and the aspect ratio height / width (0 for none)."""
    attributes = t.attributes[row]
    tag = NAMES[t.tag[row]]
    if tag in _IMAGES or (tag == "input" and (attributes.get("type") or "").lower() == "image"):
        width, height = _pixels(attributes.get("width")), _pixels(attributes.get("height"))
        if width and height:
            return width, height, height / width
        if width:
            return width, width * HEIGHT_OF_WIDTH, HEIGHT_OF_WIDTH
        if height:
            return height / HEIGHT_OF_WIDTH, height, HEIGHT_OF_WIDTH
        if width == 0 or height == 0:
            return 0.0, 0.0, 0.0
        return ICON + _label_width(t, row, (attributes.get("alt") or "").strip()), ICON, HEIGHT_OF_WIDTH
    if tag == "input":
        return *_input(t, row), 0.0
    size = t.font_size[row]
    letter = FACES[t.face[row]].words["x"] * size
    if tag == "select":
        words = FACES[t.face[row]].words
        labels = [(option.text or "").strip() for option in t.elements[row].iter("option")][:_MAX_LETTERS]
        longest = max((words[label[:_MAX_LETTERS]] for label in labels), default=0.0)
        rows = _count(attributes.get("size"), 4 if attributes.get("multiple") is not None else 1)
        return longest * size + _ARROW, (size * 1.2 + 1.0) * rows, 0.0
    if tag == "textarea":
        columns, rows = _count(attributes.get("cols"), _AREA_COLUMNS), _count(attributes.get("rows"), _AREA_ROWS)
        return columns * max(letter, size * 0.6) + _BAR, rows * t.line_height[row], 0.0
    if tag == "audio":
        return (*_AUDIO, 0.0) if attributes.get("controls") is not None else (0.0, 0.0, 0.0)
    width, height = _NATURAL.get(tag, (0.0, 0.0))
    across, along = _pixels(attributes.get("width")), _pixels(attributes.get("height"))
    width, height = width if across is None else across, height if along is None else along
    if tag == "svg":
        return _drawing(attributes.get("viewBox") or attributes.get("viewbox"), (across, along), width, height)
    ratio = height / width if tag == "video" and width else 0.0
    return width, height, ratio


def _label_width(t: BoxTree, row: int, label: str) -> float:
    """Return the width of an image's alternative text, up to the maximum that is shown."""
    letters: dict[str, float] = FACES[t.face[row]].letters
    width, size = 0.0, t.font_size[row]
    for letter in label[:_MAX_LETTERS]:
        width += letters[letter]
        if width * size > MAX_LABEL:
            return MAX_LABEL
    return width * size


def _drawing(
    view: str | None, size: tuple[float | None, float | None], width: float, height: float
) -> tuple[float, float, float]:
    """Return the natural size of an SVG, with the proportions of its view box."""
    try:
        _, _, across, along = [float(part) for part in (view or "").replace(",", " ").split()]
    except ValueError:
        return width, height, 0.0
    if not (0 < across < MAX_PX and 0 < along < MAX_PX):
        return width, height, 0.0
    ratio = along / across
    if size[0] is None and size[1] is not None:
        width = height / ratio
    elif size[1] is None:
        height = width * ratio
    return width, height, ratio


def _input(t: BoxTree, row: int) -> tuple[float, float]:
    attributes = t.attributes[row]
    kind = (attributes.get("type") or "text").lower()
    if kind == "hidden":
        return 0.0, 0.0
    if kind in _INPUTS:
        return _INPUTS[kind]
    face, size = FACES[t.face[row]], t.font_size[row]
    high = max(t.line_height[row], size * 1.15)
    if kind in ("submit", "button", "reset"):
        text = attributes.get("value") or ("" if kind == "button" else kind.title())
        return sum(map(face.words.__getitem__, text.split())) * size + face.blank * size * text.count(" "), high
    letters = _count(attributes.get("size"), _FIELD_LETTERS)
    return letters * size * 0.6 + size * 0.65, high  # 8 px a letter and 9 more at 13.33 px


def _count(text: str | None, default: int) -> int:
    try:
        number = int(text or default)
    except ValueError:
        return default
    return min(number, _MAX_LETTERS) if number > 0 else default


def _pixels(text: str | None) -> float | None:
    """Return the pixels of a width or height attribute; None if it is missing or a percentage."""
    if not text:
        return None
    text = text.strip().removesuffix("px")
    try:
        number = float(text)
    except ValueError:
        return None
    return min(number, MAX_PX) if number >= 0 else None
