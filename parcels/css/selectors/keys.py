"""The key names of selectors, without compiling them; and the selectors of nested rules."""

import re

from parcels.css.selectors.compound import Selector
from parcels.css.selectors.parser import MAX_INNER_DEPTH, selector
from parcels.css.selectors.pseudo_classes import KNOWN_PSEUDO, NEVER_MATCHING, PSEUDO_ELEMENTS
from parcels.css.selectors.scan import plain_start

MAX_NESTED = 64  # selectors that nesting may multiply to; past it :is() keeps them together
_NAMES = re.compile(r"[.#]?[-\w]+")
_SQUARE = re.compile(r"\[(?:[^\]\"']|\"[^\"]*+\"|'[^']*+')*+\]")
_ROUND = re.compile(r"\([^()]*+\)")
_PSEUDO = re.compile(r"(::?)([-\w]+)")


def key_names(text: str) -> tuple[str, ...] | None:
    """Return names of which the element itself must have one; empty if nothing can match, None if invalid.

    >>> key_names("#menu li.on a"), key_names(":is(.x, .y):not(:hover)")
    (('a',), ('.x', '.y'))
    >>> key_names("p::before"), key_names("a:no-such-thing")
    ((), None)
    """
    return keys_and_selector(text)[0]


def keys_and_selector(text: str) -> tuple[tuple[str, ...] | None, Selector | None]:
    """Return the selector's keys, and the compiled selector if compiling it was necessary."""
    cut = plain_start(text)
    if cut >= 0:
        last = text[cut:]
    else:
        bare = unbracketed(text)
        for sign, name in _PSEUDO.findall(bare):
            name = name.lower()
            if (
                sign == "::"
                or name in PSEUDO_ELEMENTS
                or name in NEVER_MATCHING
                or (name[0] == "-" and name not in KNOWN_PSEUDO)
            ):
                return (), None
            if name not in KNOWN_PSEUDO:
                return None, None
        bare = _PSEUDO.sub("*", bare)
        cut = plain_start(bare)
        if cut < 0:  # escapes and other rarities
            return _compiled(text)
        last = bare[cut:]
    cut = last.rfind("#")
    if cut >= 0:
        return ("#" + last[cut + 1 :].split(".", 1)[0].strip("*"),), None
    cut = last.rfind(".")
    key = last[cut:].rstrip("*") if cut >= 0 else last.lower().strip("*")
    if key or last == text:
        return (key or "*",), None
    return _compiled(text)


def _compiled(text: str) -> tuple[tuple[str, ...] | None, Selector | None]:
    compiled = selector(text)
    return (None, None) if compiled is None else (compiled.keys, compiled)


def needed_names(text: str) -> frozenset[str]:
    """Return the names that must be on a page for the selector to match, except for those inside brackets.

    >>> sorted(needed_names("UL.menu > li:not(.off)"))
    ['.menu', 'li', 'ul']
    """
    if plain_start(text) < 0:
        text = _PSEUDO.sub("*", unbracketed(text))
        if "\\" in text or "|" in text:
            return frozenset()
    return frozenset([name if name[0] in ".#" else name.lower() for name in _NAMES.findall(text)])


def unbracketed(text: str) -> str:
    """Return the selector with the contents of brackets removed."""
    if "[" in text:
        text = _SQUARE.sub("*", text)
    for _ in range(MAX_INNER_DEPTH):
        if "(" not in text:
            break
        text = _ROUND.sub("", text)
    return text


def nested(outer: list[str], inner: list[str]) -> list[str]:
    """Return the selectors of a nested rule: CSS Nesting 1.

    >>> nested([".a", ".b"], ["&:hover", "p"])
    ['.a:hover', '.b:hover', '.a p', '.b p']
    """
    if len(outer) * len(inner) > MAX_NESTED:
        outer = [f":is({', '.join(outer)})"]
    selectors = []
    for child in inner:
        for parent in outer:
            if "&" in child:
                selectors.append(child.replace("&", parent, 8))
            else:
                selectors.append(f"{parent} {child}")
    return selectors
