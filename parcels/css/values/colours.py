"""CSS colours as numbers 0xRRGGBBAA: names, hex, rgb(), hsl(), hwb(), grey shades of the newer spaces."""

import colorsys
import math
import re
from functools import lru_cache

CACHED_COLOURS = 4096
CURRENT = -1.0  # currentcolor: whatever the element's own colour is
TRANSPARENT = 0.0
BLACK = float(0x000000FF)

# CSS Color Module Level 4, section 6.1.
_NAMED = (
    "aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4 "
    "black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 "
    "cadetblue:5f9ea0 chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc "
    "crimson:dc143c cyan:00ffff darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 "
    "darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 "
    "darkorchid:9932cc darkred:8b0000 darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b "
    "darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 "
    "deepskyblue:00bfff dimgray:696969 dimgrey:696969 dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 "
    "forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 "
    "green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 "
    "ivory:fffff0 khaki:f0e68c lavender:e6e6fa lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd "
    "lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 "
    "lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa "
    "lightskyblue:87cefa lightslategray:778899 lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 "
    "lime:00ff00 limegreen:32cd32 linen:faf0e6 magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa "
    "mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371 mediumslateblue:7b68ee "
    "mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585 midnightblue:191970 mintcream:f5fffa "
    "mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080 oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 "
    "orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee "
    "palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6 "
    "purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513 "
    "salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb "
    "slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c "
    "teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff "
    "whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32"
)
# CSS Color Module Level 4, section 6.2, with Chromium's values for a light page.
_SYSTEM = (
    "canvas:ffffff canvastext:000000 linktext:0000ee visitedtext:551a8b activetext:ff0000 buttonface:efefef "
    "buttontext:000000 field:ffffff fieldtext:000000 highlight:b5d5ff highlighttext:000000 graytext:808080 "
    "mark:ffff00 marktext:000000 window:ffffff windowtext:000000 infobackground:fbfcc5 threedface:c0c0c0 "
    "-webkit-link:0000ee -webkit-text:000000 menu:f7f7f7 menutext:000000 background:6363ce activeborder:ffffff"
)
_NUMBERS: dict[str, float] = {
    name: float(int(digits, 16) << 8 | 0xFF)
    for name, digits in (pair.split(":") for pair in (_NAMED + " " + _SYSTEM).split())
}
_NUMBERS["transparent"] = TRANSPARENT
_NUMBERS["currentcolor"] = CURRENT

_FUNCTION = re.compile(r"(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((.*)\)\Z", re.S)
_PARTS = re.compile(r"[\s,/]+")
_TURNS = {"deg": 360.0, "grad": 400.0, "rad": 2 * math.pi, "turn": 1.0}
_HEX_LENGTHS = (3, 4, 6, 8)
_LAB_WHITE = {"lab": 100.0, "lch": 100.0, "oklab": 1.0, "oklch": 1.0}


@lru_cache(CACHED_COLOURS)
def colour(text: str) -> float | None:
    """Parse a CSS colour as 0xRRGGBBAA in a float; CURRENT for currentcolor, None if invalid.

    >>> hex(int(colour("#f00"))), hex(int(colour("rgb(0 128 0 / 50%)"))), colour("bright")
    ('0xff0000ff', '0x800080', None)
    """
    text = text.strip().lower()
    if text[:1] == "#":
        return _from_hex(text[1:])
    known = _NUMBERS.get(text)
    if known is not None or text[-1:] != ")":
        return known
    call = _FUNCTION.match(text)
    return _from_call(call[1], call[2]) if call else None


def from_attribute(text: str) -> float | None:
    """Parse the colour of an HTML attribute (HTML standard, legacy colour value).

    >>> hex(int(from_attribute("FFCC00")))
    '0xffcc00ff'
    """
    text = text.strip()
    if not text or text.lower() == "transparent":
        return None
    known = _NUMBERS.get(text.lower())
    if known is not None:
        return known
    if len(text) == 4 and text[0] == "#":
        return _from_hex(text[1:].lower())
    digits = "".join(c if c in "0123456789abcdef" else "0" for c in text.lstrip("#").lower()[:128])
    digits += "0" * (-len(digits) % 3 or (0 if digits else 3))
    size = len(digits) // 3
    parts = [digits[i * size : (i + 1) * size][-8:] for i in range(3)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    return _packed([float(int(part[:2], 16)) for part in parts], 1.0)


def _from_hex(digits: str) -> float | None:
    if len(digits) not in _HEX_LENGTHS:
        return None
    if len(digits) < 6:
        digits = "".join(c * 2 for c in digits)
    if len(digits) == 6:
        digits += "ff"
    try:
        return float(int(digits, 16))
    except ValueError:
        return None


def _from_call(name: str, inside: str) -> float | None:
    parts = [part for part in _PARTS.split(inside.strip()) if part]
    if name == "color":
        parts = parts[1:]
    if "from" in parts or len(parts) not in (3, 4):
        return None
    try:
        alpha = _share(parts[3]) if len(parts) == 4 else 1.0
        if name.startswith("rgb"):
            return _packed([_share(part) * (255.0 if part[-1] == "%" else 1.0) for part in parts[:3]], alpha)
        if name == "color":
            return _packed([255.0 * _share(part) for part in parts[:3]], alpha)
        if name in _LAB_WHITE:  # how light it is; the hue is left out
            light = _share(parts[0]) / (1.0 if parts[0][-1] == "%" else _LAB_WHITE[name])
            return _packed([light * 255] * 3, alpha)
        hue, first, second = _hue(parts[0]), _percentage(parts[1]), _percentage(parts[2])
        if name.startswith("hsl"):
            red, green, blue = colorsys.hls_to_rgb(hue, second, first)
        else:
            grey = first + second
            scale, base = (0.0, first / grey) if grey >= 1 else (1 - grey, first)
            red, green, blue = (base + scale * part for part in colorsys.hsv_to_rgb(hue, 1.0, 1.0))
        return _packed([red * 255, green * 255, blue * 255], alpha)
    except (ValueError, OverflowError):
        return None


def _share(text: str) -> float:
    """Return a number, or a percentage as a share of one."""
    if text == "none":
        return 0.0
    return float(text[:-1]) / 100 if text[-1] == "%" else float(text)


def _percentage(text: str) -> float:
    return min(max(float(text.rstrip("%")) / 100, 0.0), 1.0)


def _hue(text: str) -> float:
    for unit in ("turn", "grad", "rad", "deg"):
        if text.endswith(unit):
            return float(text[: -len(unit)]) / _TURNS[unit] % 1.0
    return 0.0 if text == "none" else float(text) / 360.0 % 1.0


def _packed(parts: list[float], alpha: float) -> float:
    """Pack four channels into one number; NaN and values out of range become the nearest byte."""
    number = 0
    for part in (*parts, alpha * 255):
        number = number << 8 | (int(min(max(part, 0.0), 255.0) + 0.5) if part == part else 0)
    return float(number)
