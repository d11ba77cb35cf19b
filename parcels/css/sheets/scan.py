# cython: boundscheck=True, wraparound=False
"""Scanners of sheet texts: remove comments, locate braces, split declarations."""

import re
from array import array
from collections.abc import Mapping

MAX_VALUE = 4000  # characters of one value; longer ones are left out
MAX_DECLARATIONS = 2000  # of one block
LONG_ADDRESS = 200  # an address longer than this is data, which nothing here reads
_SPECIAL = re.compile(r"[{};]")
_HTML_COMMENT = re.compile(r"<!--|-->")  # hid a sheet from browsers that did not know <style>


def cleaned(text: str) -> str:
    r"""Return a sheet without comments, HTML comment marks, and braces and semicolons that are part of a string.

    >>> cleaned('<!-- /* { */ a::after { content: "}" } -->')
    '  a::after { content: "\\7d " } '
    """
    return without_comments(_without_html_comments(text))


def braced(text: str) -> tuple[str, "array[int]", int]:
    """Return the cleaned text, the positions of its braces, and the count of opening minus closing braces."""
    return braces(_without_html_comments(text))


def _without_html_comments(text: str) -> str:
    return _HTML_COMMENT.sub("", text) if "<!--" in text or "-->" in text else text


def without_comments(text: str) -> str:
    r"""Return the text without comments, with braces and semicolons inside strings and addresses escaped.

    >>> without_comments('/* { */ a::after { content: "}" }')
    ' a::after { content: "\\7d " }'
    """
    return braces(text)[0]


def braces(text: str) -> tuple[str, "array[int]", int]:
    """Return what `without_comments` does, the places of its braces, and how many more are opened than closed.

    >>> braces("@media print{/* p */}")
    ('@media print{}', array('i', [12, 13]), 0)
    """
    characters = text.encode("latin-1", "replace")  # a byte for each character, "?" for those that mean nothing here
    position_array = array("i", [0]) * (text.count("{") + text.count("}"))
    positions = position_array
    parts: list[str] = []
    last_bracket = text.rfind(")")
    size = len(characters)
    at = kept = count = opened = 0
    dropped = 0  # how many characters fewer the parts have than the text that they replace
    while True:
        while at < size and not _is_sign(characters[at]):
            at += 1
        if at == size:
            break
        start, character, part = at, characters[at], None
        if character == ord("{") or character == ord("}"):
            positions[count] = at - dropped
            count += 1
            opened += 1 if character == ord("{") else -1
            at += 1
        elif character == ord("/"):
            at += 1
            if at < len(characters) and characters[at] == ord("*"):
                at = _end_of_comment(characters, at + 1)
                part = ""
        elif character == ord("\\"):
            at += 1
            if at < len(characters) and _is_special(characters[at]):
                part = escaped(text[at : at + 1])
                at += 1
        elif character == ord("("):
            at += 1
            if start > last_bracket or not _is_address(characters, start, kept):
                continue
            while text[at].isspace():
                at += 1
            if characters[at] == ord('"') or characters[at] == ord("'"):
                continue
            while characters[at] != ord(")"):
                at += 1
            at += 1
            start -= len("url")
            if at - start > LONG_ADDRESS:
                part = "url(data:)"
            elif _has_special(characters, start, at):
                part = escaped(text[start:at])
        else:
            at = _end_of_string(characters, at)
            if _has_special(characters, start, at):
                part = escaped(text[start:at])
        if part is not None:
            parts.append(text[kept:start])
            parts.append(part)
            dropped += at - start - len(part)
            kept = at
    if parts:
        parts.append(text[kept:])
        text = "".join(parts)
    return text, position_array[:count], opened


def escaped(text: str) -> str:
    r"""Return the text with its braces and semicolons escaped.

    >>> escaped("a;")
    'a\\3b '
    """
    return _SPECIAL.sub(lambda character: f"\\{ord(character[0]):x} ", text)


def _is_sign(character: int) -> bool:
    """Return whether a character is a brace, or may begin a comment, a string, an address or an escape."""
    return (
        character == ord("{")
        or character == ord("}")
        or character == ord("\\")
        or character == ord("/")
        or character == ord("(")
        or character == ord('"')
        or character == ord("'")
    )


def _is_special(character: int) -> bool:
    return character == ord("{") or character == ord("}") or character == ord(";")


def _has_special(characters: bytes, start: int, end: int) -> bool:
    for at in range(start, end):  # noqa: SIM110 - a generator would not be compiled to a loop
        if _is_special(characters[at]):
            return True
    return False


def _is_address(characters: bytes, bracket: int, first: int) -> bool:
    """Return whether `url` stands before a bracket, and not before the place where it may begin."""
    return (
        bracket >= first + 3
        and characters[bracket - 1] == ord("l")
        and characters[bracket - 2] == ord("r")
        and characters[bracket - 3] == ord("u")
    )


def _end_of_comment(characters: bytes, at: int) -> int:
    """Return where the text goes on behind a comment, whose first character is at a place."""
    while at + 1 < len(characters):
        if characters[at] == ord("*") and characters[at + 1] == ord("/"):
            return at + 2
        at += 1
    return len(characters)


def _end_of_string(characters: bytes, at: int) -> int:
    """Return where the text goes on behind a string, whose quote is at a place; lines end strings, too."""
    quote = characters[at]
    at += 1
    while at < len(characters):
        character = characters[at]
        if character == quote:
            return at + 1
        if character == ord("\n"):
            return at
        if character == ord("\\"):
            if at + 1 == len(characters):
                return at
            at += 1
        at += 1
    return at


def pairs(text: str, known: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return name and value of those declarations of a block whose names are known, or custom; values as they stand.

    >>> pairs("COLOR: red; zoom: 1; --x:1;width", {"color": 1, "width": 2})
    [('color', 'red'), ('--x', '1')]
    """
    declarations: list[tuple[str, str]] = []
    for part in text.split(";", MAX_DECLARATIONS):
        name, colon, value = part.partition(":")
        name = name.strip()
        if name not in known and not name.startswith("--"):  # more than half of what sheets declare
            name = name.lower()
            if name not in known:
                continue
        if colon and len(value) <= MAX_VALUE:
            declarations.append((name, value.strip()))
    return declarations
