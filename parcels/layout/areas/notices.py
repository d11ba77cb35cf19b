"""Detect texts with copyright or legal notices, as footers have them."""

SIGN = 0xA9  # ©
DOTTED_I, KELVIN = 0x130, 0x212A  # the only characters beyond ASCII that have ASCII letters in lower case
_RIGHTS = "(c)|copyright|all rights|rights reserved|alle rechte|tous droits|diritti|derechos"
_LEGAL = "privacy|terms|imprint|impressum|contact|sitemap|site map|disclaimer|accessib|kontakt|cookie"
_NOTICES = (*((word, True) for word in _RIGHTS.split("|")), *((word, False) for word in _LEGAL.split("|")))


def _by_start() -> tuple[bytes, bytes, bytes, list[list[tuple[str, bool]]]]:
    """Return the words grouped by their first three letters, with lookup tables.

    Tables to find a group by: the kind of each ASCII character, upper case like lower; the number of each pair of kinds
    that begins a word; by this number and a third kind the number of the group. 0 is none.
    """
    letters = sorted({letter for word, _ in _NOTICES for letter in word[:3]})
    kind_of, pair_of = bytearray(128), bytearray(32 * 32)
    for kind, letter in enumerate(letters, 1):
        kind_of[ord(letter)] = kind_of[ord(letter.upper())] = kind
    groups: dict[str, list[tuple[str, bool]]] = {}
    for word, names_rights in _NOTICES:
        groups.setdefault(word[:3], []).append((word, names_rights))
    group_of = bytearray(32 * (len(groups) + 1))
    pairs: dict[str, int] = {}
    for number, start in enumerate(groups, 1):
        one, other, third = (kind_of[ord(letter)] for letter in start)
        pair = pairs.setdefault(start[:2], len(pairs) + 1)
        pair_of[32 * one + other] = pair
        group_of[32 * pair + third] = number
    return bytes(kind_of), bytes(pair_of), bytes(group_of), [[], *groups.values()]


_KIND_OF, _PAIR_OF, _GROUP_OF, _GROUPS = _by_start()


def find_notices(texts: list[str], longest: int) -> tuple[list[int], list[int]]:
    """Return for each text 1 if it names rights, and 1 if it names anything legal.

    Texts longer than `longest` never do.

    >>> find_notices(["All Rights Reserved", "Privacy", "Sport"], 300)
    ([1, 0, 0], [1, 1, 0])
    """
    has_rights, is_legal = [0] * len(texts), [0] * len(texts)
    for leaf in range(len(texts)):
        text = texts[leaf]
        if len(text) <= longest:
            notice = _scan_letters(text)
            if notice:
                is_legal[leaf] = 1
                if notice > 1:
                    has_rights[leaf] = 1
    return has_rights, is_legal


def _scan_words(text: str) -> int:
    """Return 2 where a text names rights, 1 where it names something else that is legal, else 0."""
    text = text.lower()
    notice = 2 if chr(SIGN) in text else 0
    for word, names_rights in _NOTICES:
        if word in text:
            notice = max(notice, 2 if names_rights else 1)
    return notice


def _scan_letters(text: str) -> int:
    """Return what `_scan_words` does, by one look at each letter."""
    notice = before = pair = 0  # the kind of the letter before this one, and the number of the two before it
    for at in range(len(text)):
        code = ord(text[at])
        kind = 0
        if code < 128:
            kind = _KIND_OF[code]
        elif code == SIGN:
            return 2
        elif code in (DOTTED_I, KELVIN):
            return _scan_words(text)
        if pair:
            group = _GROUP_OF[32 * pair + kind]
            if group:
                for word, names_rights in _GROUPS[group]:
                    if _matches_at(text, at - 2, word):
                        if names_rights:
                            return 2
                        notice = 1
        pair = _PAIR_OF[32 * before + kind]
        before = kind
    return notice


def _matches_at(text: str, at: int, word: str) -> bool:
    """Return whether a lower-case ASCII word stands at a position, in any case."""
    if at + len(word) > len(text):
        return False
    for n in range(len(word)):
        code = ord(text[at + n])
        if 65 <= code <= 90:
            code += 32
        if code != ord(word[n]):
            return False
    return True
