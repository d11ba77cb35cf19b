# cython: boundscheck=True, wraparound=False
"""Scanners of selector texts: loops over every character."""

from parcels.css.selectors.names import Names

PASSED_OVER, PLAIN_LIST, OTHER_LIST = 0, 1, 2  # what is to be done about a rule's selectors
UNLIKELY, LIKELY, UNKNOWN, UNCLEAR = 0, 1, 2, 3  # whether one selector can match; UNKNOWN makes its rule invalid
MAX_DEPTH = 8  # of brackets inside brackets
_PASSED_OVER, _PLAIN_LIST, _OTHER_LIST = PASSED_OVER, PLAIN_LIST, OTHER_LIST  # as numbers in C
_UNLIKELY, _LIKELY, _UNKNOWN, _UNCLEAR = UNLIKELY, LIKELY, UNKNOWN, UNCLEAR


def is_word(sign: str) -> bool:
    """Return whether a character may be in a name: a hyphen, or what regular expressions call a word character."""
    if sign <= "\x7f":
        return "a" <= sign <= "z" or "0" <= sign <= "9" or sign == "-" or sign == "_" or "A" <= sign <= "Z"
    return sign.isalnum()


def _behind_name(text: str, at: int) -> int:
    while at < len(text) and is_word(text[at]):
        at += 1
    return at


def _behind_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def has_seen(text: str, seen: Names) -> bool:
    """Return whether all classes and ids of a selector are among those seen.

    >>> from parcels.css.selectors.names import Names
    >>> has_seen("a.x:hover", Names({".x"})), has_seen("#y .x", Names({".x"}))
    (True, False)
    """
    at, length = 0, len(text)
    while at < length:
        sign = text[at]
        at += 1
        if sign == "." or sign == "#":
            start = at - 1
            at = _behind_name(text, at)
            if at > start + 1 and seen.find(text, start, at, False) is None:
                return False
    return True


def fate(selectors: str, seen: Names) -> int:
    """Return whether a rule's selectors can match on a page with these names, and if so, whether all are plain names.

    >>> from parcels.css.selectors.names import Names
    >>> found = [fate(text, Names({"a", ".x"})) for text in (".y a", ".x > a, b", "a:hover")]
    >>> found == [PASSED_OVER, PLAIN_LIST, OTHER_LIST]
    True
    """
    at, length = 0, len(selectors)
    is_single = is_plain = True
    is_seen = True  # what has_seen returns, as long as the selector is the only one
    while at < length:
        sign = selectors[at]
        at += 1
        if sign == "." or sign == "#":
            start = at - 1
            at = _behind_name(selectors, at)
            if is_seen and is_single and at > start + 1:
                is_seen = seen.find(selectors, start, at, False) is not None
            continue
        if is_word(sign) or sign == " " or sign == "*" or sign == ">":
            continue
        if sign == ",":
            is_single = False
        elif sign == "(" or sign == "[" or sign == "\\":
            return _OTHER_LIST
        elif sign != "+" and sign != "~" and not sign.isspace():
            is_plain = False
    if is_single and not is_seen:
        return _PASSED_OVER
    return _PLAIN_LIST if is_plain else _OTHER_LIST


def plain_start(text: str) -> int:
    """Return where the rightmost compound of a selector of tags, classes and ids only starts; -1 for other selectors.

    >>> plain_start("ul > li.on"), plain_start("a:hover")
    (5, -1)
    """
    cut, length = 0, len(text)
    for at in range(length):
        sign = text[at]
        if sign == "." or sign == "#" or sign == "*" or is_word(sign):
            continue
        if sign == ">" or sign == "+" or sign == "~" or sign.isspace():
            cut = at + 1
        else:
            return -1
    return cut if cut < length else -1


def plain_parts(text: str, seen: Names | None) -> tuple[list[str], list[str], int, bool] | None:
    """Return the names of the rightmost compound, those left of it, where it starts, and whether it is names only.

    None for what is not a selector of tags, classes and ids only, or names something that is not among those seen.

    >>> plain_parts("UL.menu > li.on", None)
    (['li', '.on'], ['ul', '.menu'], 10, True)
    """
    at, cut, length = 0, 0, len(text)
    is_whole = True
    own: list[str] = []
    above: list[str] = []
    while at < length:
        sign = text[at]
        start = at
        is_tag = is_word(sign)
        if is_tag or sign == "." or sign == "#":
            at = _behind_name(text, at + 1)
            if not is_tag and at == start + 1:
                is_whole = False
                continue
            if seen is not None:
                name = seen.find(text, start, at, is_tag)
                if name is None:
                    return None
            else:
                name = text[start:at]
                if is_tag:
                    name = name.lower()
            own.append(name)
        elif sign == "*":
            at += 1
        elif sign == ">" or sign == "+" or sign == "~" or sign.isspace():
            at += 1
            cut = at
            is_whole = True
            if own:
                above += own
                own = []
        else:
            return None
    if cut == length:
        return None
    return own, above, cut, is_whole


def likelihood(text: str, seen: Names, never: frozenset[str], known: frozenset[str]) -> int:
    """Return whether a selector can match on a page with these names; UNCLEAR where only its keys tell.

    The sets are pseudo-classes that never hold, and all that are understood.
    """
    at, length = 0, len(text)
    is_seen, has_name, is_joined = True, False, False
    while at < length:
        sign = text[at]
        start = at
        is_tag = is_word(sign)
        if is_tag or sign == "." or sign == "#":
            if is_joined and is_tag:
                return _UNCLEAR
            at = _behind_name(text, at + 1)
            if not is_tag and at == start + 1:
                return _UNCLEAR
            has_name = True
            if is_seen and seen.find(text, start, at, is_tag) is None:
                is_seen = False
        elif sign == ":":  # a pseudo-class, or an element that is none
            at += 1
            is_element = at < length and text[at] == ":"
            if is_element:
                at += 1
            start = at
            at = _behind_name(text, at)
            if at == start:
                return _UNCLEAR
            name = text[start:at].lower()
            is_call = at < length and text[at] == "("
            if is_call and (is_element or name in never or name not in known):
                return _UNCLEAR  # what follows the brackets may read on as its name
            if is_element or name in never:
                return _UNLIKELY
            if name not in known:
                return _UNLIKELY if name[0] == "-" else _UNKNOWN
            if is_call:
                at = _behind_round(text, at)
                if at < 0:
                    return _UNCLEAR
                is_joined = True
                continue
        elif sign == "[":
            at = _behind_square(text, at)
            if at < 0:
                return _UNCLEAR
        elif sign == "*":
            if has_name:
                return _UNCLEAR
            at += 1
            is_joined = True
            continue
        elif sign == ">" or sign == "+" or sign == "~" or sign.isspace():
            at += 1
            has_name = False
            if at == length:
                return _UNCLEAR
        else:
            return _UNCLEAR
        is_joined = False
    if not has_name:
        return _UNCLEAR
    return _LIKELY if is_seen else _UNLIKELY


def _behind_square(text: str, at: int) -> int:
    """Return where the text goes on behind a square bracket's end; -1 where it has none."""
    quote = "\0"
    while at < len(text):
        sign = text[at]
        at += 1
        if quote != "\0":
            if sign == quote:
                quote = "\0"
        elif sign == '"' or sign == "'":
            quote = sign
        elif sign == "]":
            return at
    return -1


def _behind_round(text: str, at: int) -> int:
    """Return where the text goes on behind a round bracket's end; -1 where it has none, or many others inside."""
    depth = 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            at = _behind_square(text, at)
            if at < 0:
                return -1
            continue
        if sign == "\\":
            return -1
        at += 1
        if sign == "(":
            depth += 1
            if depth > MAX_DEPTH:
                return -1
        elif sign == ")":
            depth -= 1
            if depth == 0:
                return at
    return -1


def plain_compounds(text: str) -> tuple[list[tuple[str, str, tuple[str, ...]]], list[str]] | None:
    """Return tag, id and classes of each compound of a plain selector, and its combinators; None if it is not valid.

    >>> plain_compounds("UL#x > li.on")
    ([('ul', 'x', ()), ('li', '', ('on',))], ['>'])
    """
    at, length = 0, len(text)
    is_empty = True
    found: list[tuple[str, str, tuple[str, ...]]] = []
    combinators: list[str] = []
    tag, ident = "", ""
    classes: tuple[str, ...] = ()
    while at < length:
        sign = text[at]
        start = at
        if sign == "." or sign == "#" or is_word(sign):
            at = _behind_name(text, at + 1)
            if sign == "." or sign == "#":
                if at == start + 1:
                    return None
                name = text[start + 1 : at]
                if sign == "#":
                    ident = name
                else:
                    classes = (*classes, name)
            else:
                tag = text[start:at].lower()
            is_empty = False
        elif sign == "*":
            at += 1
            is_empty = False
        else:
            if is_empty:
                return None
            at = _behind_space(text, at)
            sign = text[at] if at < length else " "
            if sign == ">" or sign == "+" or sign == "~":
                at = _behind_space(text, at + 1)
                combinators.append(">" if sign == ">" else "+" if sign == "+" else "~")
            elif at == start:
                return None
            else:
                combinators.append(" ")
            found.append((tag, ident, classes))
            tag, ident, classes, is_empty = "", "", (), True
    if is_empty:
        return None
    found.append((tag, ident, classes))
    return found, combinators


def selector_list(text: str) -> list[str]:
    """Return the selectors of a comma-separated list.

    >>> selector_list("a, b:not(c, d)")
    ['a', 'b:not(c, d)']
    """
    if "(" not in text and "[" not in text and "\\" not in text:
        return [part.strip() for part in text.split(",")] if "," in text else [text.strip()]
    at, start, depth, length = 0, 0, 0, len(text)
    found: list[str] = []
    while at < length:
        sign = text[at]
        at += 1
        if sign == "\\":
            at += 1
        elif sign == '"' or sign == "'":  # a string, where it is closed
            end = at
            while end < length:
                inner = text[end]
                end += 1
                if inner == "\\":
                    end += 1
                elif inner == sign:
                    at = end
                    break
        elif sign == "(" or sign == "[":
            depth += 1
        elif sign == ")" or sign == "]":
            depth -= 1
        elif sign == "," and depth <= 0:
            found.append(text[start : at - 1].strip())
            start = at
    found.append(text[start:].strip())
    return found
