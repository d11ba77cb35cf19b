# cython: boundscheck=True, wraparound=False
"""Scanners of selector texts: loops over every character."""

from parcels.css.selectors.names import Names

NO_MATCH, PLAIN_LIST, COMPLEX_LIST = 0, 1, 2  # classes of selector lists
IMPOSSIBLE, POSSIBLE, INVALID, UNDECIDED = 0, 1, 2, 3  # whether one selector can match; UNKNOWN makes its rule invalid
MAX_DEPTH = 8  # of brackets inside brackets
_NO_MATCH, _PLAIN_LIST, _COMPLEX_LIST = NO_MATCH, PLAIN_LIST, COMPLEX_LIST  # as numbers in C
_IMPOSSIBLE, _POSSIBLE, _INVALID, _UNDECIDED = IMPOSSIBLE, POSSIBLE, INVALID, UNDECIDED


def is_word(character: str) -> bool:
    """Return whether a character may be in a name: a hyphen, or what regular expressions call a word character."""
    if character <= "\x7f":
        return (
            "a" <= character <= "z"
            or "0" <= character <= "9"
            or character == "-"
            or character == "_"
            or "A" <= character <= "Z"
        )
    return character.isalnum()


def _end_of_name(text: str, at: int) -> int:
    while at < len(text) and is_word(text[at]):
        at += 1
    return at


def _end_of_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def has_all_names(text: str, page_names: Names) -> bool:
    """Return whether all classes and ids of a selector are among those seen.

    >>> from parcels.css.selectors.names import Names
    >>> has_all_names("a.x:hover", Names({".x"})), has_all_names("#y .x", Names({".x"}))
    (True, False)
    """
    at, length = 0, len(text)
    while at < length:
        character = text[at]
        at += 1
        if character == "." or character == "#":
            start = at - 1
            at = _end_of_name(text, at)
            if at > start + 1 and page_names.find(text, start, at, False) is None:
                return False
    return True


def classify_list(selectors: str, page_names: Names) -> int:
    """Return whether a rule's selectors can match on a page with these names, and if so, whether all are plain names.

    >>> from parcels.css.selectors.names import Names
    >>> found = [classify_list(text, Names({"a", ".x"})) for text in (".y a", ".x > a, b", "a:hover")]
    >>> found == [NO_MATCH, PLAIN_LIST, COMPLEX_LIST]
    True
    """
    at, length = 0, len(selectors)
    is_single = is_plain = True
    has_names = True  # the result of has_all_names, while the selector is the only one
    while at < length:
        character = selectors[at]
        at += 1
        if character == "." or character == "#":
            start = at - 1
            at = _end_of_name(selectors, at)
            if has_names and is_single and at > start + 1:
                has_names = page_names.find(selectors, start, at, False) is not None
            continue
        if is_word(character) or character == " " or character == "*" or character == ">":
            continue
        if character == ",":
            is_single = False
        elif character == "(" or character == "[" or character == "\\":
            return _COMPLEX_LIST
        elif character != "+" and character != "~" and not character.isspace():
            is_plain = False
    if is_single and not has_names:
        return _NO_MATCH
    return _PLAIN_LIST if is_plain else _COMPLEX_LIST


def plain_start(text: str) -> int:
    """Return where the rightmost compound of a selector of tags, classes and ids only starts; -1 for other selectors.

    >>> plain_start("ul > li.on"), plain_start("a:hover")
    (5, -1)
    """
    cut, length = 0, len(text)
    for at in range(length):
        character = text[at]
        if character == "." or character == "#" or character == "*" or is_word(character):
            continue
        if character == ">" or character == "+" or character == "~" or character.isspace():
            cut = at + 1
        else:
            return -1
    return cut if cut < length else -1


def plain_parts(text: str, page_names: Names | None) -> tuple[list[str], list[str], int, bool] | None:
    """Return the names of the rightmost compound, those left of it, where it starts, and whether it is names only.

    None for any other selector, or if it has a name that is not among the page's names.

    >>> plain_parts("UL.menu > li.on", None)
    (['li', '.on'], ['ul', '.menu'], 10, True)
    """
    at, cut, length = 0, 0, len(text)
    is_whole = True
    own: list[str] = []
    above: list[str] = []
    while at < length:
        character = text[at]
        start = at
        is_tag = is_word(character)
        if is_tag or character == "." or character == "#":
            at = _end_of_name(text, at + 1)
            if not is_tag and at == start + 1:
                is_whole = False
                continue
            if page_names is not None:
                name = page_names.find(text, start, at, is_tag)
                if name is None:
                    return None
            else:
                name = text[start:at]
                if is_tag:
                    name = name.lower()
            own.append(name)
        elif character == "*":
            at += 1
        elif character == ">" or character == "+" or character == "~" or character.isspace():
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


def classify_selector(text: str, page_names: Names, never: frozenset[str], known: frozenset[str]) -> int:
    """Return whether a selector can match on a page with these names; UNCLEAR where only its keys tell.

    `never` are pseudo-classes that never match, `known` all supported ones.
    """
    at, length = 0, len(text)
    has_names, has_name, is_joined = True, False, False
    while at < length:
        character = text[at]
        start = at
        is_tag = is_word(character)
        if is_tag or character == "." or character == "#":
            if is_joined and is_tag:
                return _UNDECIDED
            at = _end_of_name(text, at + 1)
            if not is_tag and at == start + 1:
                return _UNDECIDED
            has_name = True
            if has_names and page_names.find(text, start, at, is_tag) is None:
                has_names = False
        elif character == ":":  # a pseudo-class, or an element that is none
            at += 1
            is_element = at < length and text[at] == ":"
            if is_element:
                at += 1
            start = at
            at = _end_of_name(text, at)
            if at == start:
                return _UNDECIDED
            name = text[start:at].lower()
            is_call = at < length and text[at] == "("
            if is_call and (is_element or name in never or name not in known):
                return _UNDECIDED  # the text after the brackets may continue the name
            if is_element or name in never:
                return _IMPOSSIBLE
            if name not in known:
                return _IMPOSSIBLE if name[0] == "-" else _INVALID
            if is_call:
                at = _end_of_round(text, at)
                if at < 0:
                    return _UNDECIDED
                is_joined = True
                continue
        elif character == "[":
            at = _end_of_square(text, at)
            if at < 0:
                return _UNDECIDED
        elif character == "*":
            if has_name:
                return _UNDECIDED
            at += 1
            is_joined = True
            continue
        elif character == ">" or character == "+" or character == "~" or character.isspace():
            at += 1
            has_name = False
            if at == length:
                return _UNDECIDED
        else:
            return _UNDECIDED
        is_joined = False
    if not has_name:
        return _UNDECIDED
    return _POSSIBLE if has_names else _IMPOSSIBLE


def _end_of_square(text: str, at: int) -> int:
    """Return where the text goes on behind a square bracket's end; -1 where it has none."""
    quote = "\0"
    while at < len(text):
        character = text[at]
        at += 1
        if quote != "\0":
            if character == quote:
                quote = "\0"
        elif character == '"' or character == "'":
            quote = character
        elif character == "]":
            return at
    return -1


def _end_of_round(text: str, at: int) -> int:
    """Return where the text goes on behind a round bracket's end; -1 where it has none, or many others inside."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character == "[":
            at = _end_of_square(text, at)
            if at < 0:
                return -1
            continue
        if character == "\\":
            return -1
        at += 1
        if character == "(":
            depth += 1
            if depth > MAX_DEPTH:
                return -1
        elif character == ")":
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
    compounds: list[tuple[str, str, tuple[str, ...]]] = []
    combinators: list[str] = []
    tag, ident = "", ""
    classes: tuple[str, ...] = ()
    while at < length:
        character = text[at]
        start = at
        if character == "." or character == "#" or is_word(character):
            at = _end_of_name(text, at + 1)
            if character == "." or character == "#":
                if at == start + 1:
                    return None
                name = text[start + 1 : at]
                if character == "#":
                    ident = name
                else:
                    classes = (*classes, name)
            else:
                tag = text[start:at].lower()
            is_empty = False
        elif character == "*":
            at += 1
            is_empty = False
        else:
            if is_empty:
                return None
            at = _end_of_space(text, at)
            character = text[at] if at < length else " "
            if character == ">" or character == "+" or character == "~":
                at = _end_of_space(text, at + 1)
                combinators.append(">" if character == ">" else "+" if character == "+" else "~")
            elif at == start:
                return None
            else:
                combinators.append(" ")
            compounds.append((tag, ident, classes))
            tag, ident, classes, is_empty = "", "", (), True
    if is_empty:
        return None
    compounds.append((tag, ident, classes))
    return compounds, combinators


def selector_list(text: str) -> list[str]:
    """Return the selectors of a comma-separated list.

    >>> selector_list("a, b:not(c, d)")
    ['a', 'b:not(c, d)']
    """
    if "(" not in text and "[" not in text and "\\" not in text:
        return [part.strip() for part in text.split(",")] if "," in text else [text.strip()]
    at, start, depth, length = 0, 0, 0, len(text)
    selectors: list[str] = []
    while at < length:
        character = text[at]
        at += 1
        if character == "\\":
            at += 1
        elif character == '"' or character == "'":  # a string, where it is closed
            end = at
            while end < length:
                inner = text[end]
                end += 1
                if inner == "\\":
                    end += 1
                elif inner == character:
                    at = end
                    break
        elif character == "(" or character == "[":
            depth += 1
        elif character == ")" or character == "]":
            depth -= 1
        elif character == "," and depth <= 0:
            selectors.append(text[start : at - 1].strip())
            start = at
    selectors.append(text[start:].strip())
    return selectors
