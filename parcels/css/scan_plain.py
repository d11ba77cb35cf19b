"""The questions that are asked of every character of a sheet, by regular expressions.

`parcels.css.scan_fast` answers them in C where it is compiled; `parcels.css.scan` takes what there is.
"""

import re
from array import array
from collections.abc import Container

MAX_VALUE = 4000  # characters of one value; longer ones are left out
MAX_DECLARATIONS = 2000  # of one block
# Comments go; braces and semicolons inside strings and addresses are escaped. No flag that keeps `re` from skipping
# to the next possible start: this runs over every character.
_UNCLEAN = re.compile(
    r"/\*(?s:.*?)(?:\*/|\Z)|\"[^\"\\\n]*+(?:\\(?s:.)[^\"\\\n]*+)*+\"?|'[^'\\\n]*+(?:\\(?s:.)[^'\\\n]*+)*+'?"
    r"|url\(\s*+(?![\"'])[^)]*+\)|\\[{};]"
)
_SPECIAL = re.compile(r"[{};]")
_LONG = 200  # an address longer than this is data, which nobody here looks at
_BRACE = re.compile(r"[{}]")


def without_comments(text: str) -> str:
    r"""The text without comments, braces and semicolons inside strings and addresses escaped.

    >>> without_comments('/* { */ a::after { content: "}" }')
    ' a::after { content: "\\7d " }'
    """
    return _UNCLEAN.sub(_clean, text)


def _clean(found: re.Match[str]) -> str:
    text = found[0]
    first = text[0]
    if first == "/":
        return ""
    if first == "u" and len(text) > _LONG:
        return "url(data:)"
    return escaped(text[1:] if first == "\\" else text)


def escaped(text: str) -> str:
    r"""The text with its braces and semicolons escaped.

    >>> escaped("a;")
    'a\\3b '
    """
    return _SPECIAL.sub(lambda sign: f"\\{ord(sign[0]):x} ", text) if _SPECIAL.search(text) else text


def braces(text: str) -> tuple[str, "array[int]", int]:
    """The text as `without_comments` gives it, where its braces stand, and how many more are opened than closed.

    >>> braces("@media print{/* p */}")
    ('@media print{}', array('i', [12, 13]), 0)
    """
    cleaned = without_comments(text)
    places = array("i", [found.start() for found in _BRACE.finditer(cleaned)])
    return cleaned, places, cleaned.count("{") - cleaned.count("}")


def pairs(text: str, known: Container[str]) -> list[tuple[str, str]]:
    """Names and values of those declarations of a block whose names are known, or custom ones; values as they stand.

    >>> pairs("COLOR: red; zoom: 1; --x:1;width", {"color", "width"})
    [('color', 'red'), ('--x', '1')]
    """
    found = []
    for part in text.split(";", MAX_DECLARATIONS):
        name, colon, value = part.partition(":")
        name = name.strip()
        if name not in known and name[:2] != "--":  # more than half of what sheets say, none of which is kept here
            name = name.lower()
            if name not in known:
                continue
        if colon and len(value) <= MAX_VALUE:
            found.append((name, value.strip()))
    return found


def has_html_comment(text: str) -> bool:
    """Whether a sign stands in the text that begins or ends a comment of HTML, which hid sheets from old browsers.

    >>> has_html_comment("<!-- p{} -->"), has_html_comment("a > b{}")
    (True, False)
    """
    return "<!--" in text or "-->" in text


def in_memory(text: str) -> tuple[bytes, int]:
    """What tells a text from all others, as bytes, and how many of these a character has; used up at once.

    >>> in_memory("a")
    (b'a', 1)
    """
    if text.isascii():
        return text.encode(), 1
    return text.encode("utf-16-le", "surrogatepass"), 2
