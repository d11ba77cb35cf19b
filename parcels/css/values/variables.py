"""Custom properties: var() substitution, with bounded depth and length."""

from collections.abc import Mapping

MAX_DEPTH = 16  # of variables that refer to variables
MAX_LENGTH = 4000  # characters of a value after replacement: `--a: var(--b) var(--b)` doubles at each step


def substitute_variables(text: str, properties: Mapping[str, str], depth: int = 0) -> str | None:
    """Substitute var() in a text; None for an unset variable without fallback, or a cycle.

    >>> substitute_variables("1px solid var(--c, red)", {}), substitute_variables("var(--a)", {"--a": "var(--a)"})
    ('1px solid red', None)
    """
    if depth > MAX_DEPTH:
        return None
    done: list[str] = []
    length = at = 0
    while True:
        start = text.find("var(", at)
        if start < 0:
            done.append(text[at:])
            break
        if start and (text[start - 1].isalnum() or text[start - 1] in "-_"):
            done.append(text[at : start + 4])
            at = start + 4
            continue
        end = _closing(text, start + 4)
        name, comma, fallback = text[start + 4 : end].partition(",")
        value = properties.get(name.strip())
        substitute = substitute_variables(value, properties, depth + 1) if value is not None else None
        if substitute is None and comma:
            substitute = substitute_variables(fallback.strip(), properties, depth + 1)
        if substitute is None:
            return None
        done += (text[at:start], substitute)
        length += len(substitute)
        if length > MAX_LENGTH:
            return None
        at = end + 1
    return "".join(done)


def _closing(text: str, at: int) -> int:
    depth = 1
    for place in range(at, len(text)):
        if text[place] == "(":
            depth += 1
        elif text[place] == ")":
            depth -= 1
            if depth == 0:
                return place
    return len(text)
