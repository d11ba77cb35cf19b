"""The questions that are asked of every character of a sheet, by regular expressions.

`parcels.css.scan_fast` answers them in C where it is compiled; `parcels.css.scan` takes what there is.
"""

import re
from array import array
from collections.abc import Container, Set

PASSED_OVER, PLAIN_LIST, OTHER_LIST = 0, 1, 2  # what is to be done about a rule's selectors
UNLIKELY, LIKELY, UNKNOWN, UNCLEAR = 0, 1, 2, 3  # whether one selector can match; UNKNOWN makes its rule invalid
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
_PLAIN_LIST = re.compile(r"[-\w.#*\s>+~,]*\Z").match
_CLASS_OR_ID = re.compile(r"[.#][-\w]+").findall
_has_rarities = re.compile(r"[(\[\\]").search
_PLAIN = re.compile(r"(?:[-\w.#*\s>+~]*[\s>+~])?([-\w.#*]+)\Z").match
_NAMES = re.compile(r"[.#]?[-\w]+").findall
_COMBINATOR = re.compile(r"(\s*[>+~]\s*|\s+)")
_LIST_SIGN = re.compile(r"\\.|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[()\[\],]", re.S)
_ONE_NAME = re.compile(r"[.#]?[-\w]+\Z").match


class Names:
    """The names of a page: tags, `.class` and `#id`."""

    __slots__ = ("all",)

    def __init__(self, names: Set[str]):
        self.all = frozenset(names)


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


def fate(selectors: str, seen: Names) -> int:
    """Whether a rule's selectors can match on a page with these names, and if so, whether they are plain names only.

    >>> found = [fate(text, Names({"a", ".x"})) for text in (".y a", ".x > a, b", "a:hover")]
    >>> found == [PASSED_OVER, PLAIN_LIST, OTHER_LIST]
    True
    """
    if "," not in selectors and not _has_rarities(selectors) and not seen.all.issuperset(_CLASS_OR_ID(selectors)):
        return PASSED_OVER  # of most rules of a sheet
    return PLAIN_LIST if _PLAIN_LIST(selectors) else OTHER_LIST


def has_seen(text: str, seen: Names) -> bool:
    """True where all classes and ids of a selector are among those seen.

    >>> has_seen("a.x:hover", Names({".x"})), has_seen("#y .x", Names({".x"}))
    (True, False)
    """
    return seen.all.issuperset(_CLASS_OR_ID(text))


def plain_start(text: str) -> int:
    """Where the rightmost compound of a selector of tags, classes and ids only starts; -1 for other selectors.

    >>> plain_start("ul > li.on"), plain_start("a:hover")
    (5, -1)
    """
    found = _PLAIN(text)
    return -1 if found is None else found.start(1)


def plain_parts(text: str, seen: Names | None) -> tuple[list[str], list[str], int, bool] | None:
    """Names of the rightmost compound, names to the left of it, where it starts, and whether it is nothing but names.

    None for what is not a selector of tags, classes and ids only, or names something that is not among those seen.

    >>> plain_parts("UL.menu > li.on", None)
    (['li', '.on'], ['ul', '.menu'], 10, True)
    """
    if _ONE_NAME(text):  # as every third is
        name = text if text[0] in ".#" else text.lower()
        return ([name], [], 0, True) if seen is None or name in seen.all else None
    if seen is not None and not seen.all.issuperset(_CLASS_OR_ID(text)):
        return None
    found = _PLAIN(text)
    if found is None:
        return None
    cut, last = found.start(1), found[1]
    own = _NAMES(last)
    is_whole = len("".join(own)) + last.count("*") == len(last)
    own = [name if name[0] in ".#" else name.lower() for name in own]
    above = [name if name[0] in ".#" else name.lower() for name in _NAMES(text[:cut])] if cut else []
    if seen is not None and not (seen.all.issuperset(own) and seen.all.issuperset(above)):
        return None
    return own, above, cut, is_whole


def likelihood(text: str, seen: Names, never: frozenset[str], known: frozenset[str]) -> int:
    """Whether a selector can match on a page with these names; UNCLEAR where only its keys tell.

    The sets are pseudo-classes that never hold, and all that are understood. Here nothing is told without the keys.
    """
    return UNCLEAR


def plain_compounds(text: str) -> tuple[list[tuple[str, str, tuple[str, ...]]], list[str]] | None:
    """Tag, id and classes of each compound of a plain selector, and the combinators between; None if it is not valid.

    >>> plain_compounds("UL#x > li.on")
    ([('ul', 'x', ()), ('li', '', ('on',))], ['>'])
    """
    compounds = []
    parts = _COMBINATOR.split(text)
    for part in parts[::2]:
        tag = ident = ""
        classes: tuple[str, ...] = ()
        found = _NAMES(part)
        if len("".join(found)) + part.count("*") != len(part) or not part:
            return None
        for name in found:
            if name[0] == ".":
                classes += (name[1:],)
            elif name[0] == "#":
                ident = name[1:]
            else:
                tag = name.lower()
        compounds.append((tag, ident, classes))
    return compounds, [combinator.strip() or " " for combinator in parts[1::2]]


def selector_list(text: str) -> list[str]:
    """The selectors of a comma-separated list.

    >>> selector_list("a, b:not(c, d)")
    ['a', 'b:not(c, d)']
    """
    if "(" not in text and "[" not in text and "\\" not in text:
        return [part.strip() for part in text.split(",")]
    found, depth, start = [], 0, 0
    for sign in _LIST_SIGN.finditer(text):
        character = sign[0]
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth <= 0:
            found.append(text[start : sign.start()].strip())
            start = sign.end()
    return [*found, text[start:].strip()]


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
