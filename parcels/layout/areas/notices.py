"""Which texts name rights or anything else that is legal, as footers do."""

IS_COMPILED = not __file__.endswith(".py")
SIGN = 0xA9  # ©
_RIGHTS = "(c)|copyright|all rights|rights reserved|alle rechte|tous droits|diritti|derechos"
_LEGAL = "privacy|terms|imprint|impressum|contact|sitemap|site map|disclaimer|accessib|kontakt|cookie"
_NOTICES = (*((word, True) for word in _RIGHTS.split("|")), *((word, False) for word in _LEGAL.split("|")))


def _by_start() -> tuple[bytes, list[list[tuple[str, bool]]]]:
    """The words in groups that begin with the same two letters, and the number of the group by these letters."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    for word, names_rights in _NOTICES:
        groups.setdefault(word[:2], []).append((word, names_rights))
    numbers = bytearray(128 * 128)
    for number, start in enumerate(groups, 1):
        numbers[ord(start[0]) * 128 + ord(start[1])] = number
    return bytes(numbers), [[], *groups.values()]


_GROUP_OF, _GROUPS = _by_start()


def sweep_notices(texts: list[str], longest: int) -> tuple[list[int], list[int]]:
    """1 for the texts that name rights, and for those that name anything legal; longer ones than `longest` do neither.

    >>> sweep_notices(["All Rights Reserved", "Privacy", "Sport"], 300)
    ([1, 0, 0], [1, 1, 0])
    """
    has_rights, is_legal = [0] * len(texts), [0] * len(texts)
    for leaf in range(len(texts)):
        text = texts[leaf]
        if len(text) <= longest:
            found = _by_letter(text.lower()) if IS_COMPILED else _by_word(text.lower())
            if found:
                is_legal[leaf] = 1
                if found > 1:
                    has_rights[leaf] = 1
    return has_rights, is_legal


def _by_word(text: str) -> int:
    """2 where a text names rights, 1 where it names something else that is legal, else 0."""
    found = 2 if chr(SIGN) in text else 0
    for word, names_rights in _NOTICES:
        if word in text:
            found = max(found, 2 if names_rights else 1)
    return found


def _by_letter(text: str) -> int:
    """The same by one look at each letter, which is the fastest where it is compiled."""
    found = before = 0
    for at in range(len(text)):
        code = ord(text[at])
        if code == SIGN:
            return 2
        group = _GROUP_OF[(before << 7) + code] if code < 128 and before < 128 else 0
        if group:
            for word, names_rights in _GROUPS[group]:
                if text.startswith(word, at - 1):
                    if names_rights:
                        return 2
                    found = 1
        before = code
    return found
