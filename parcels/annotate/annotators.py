"""Names of annotators: any personal name, normalised, without misleading characters."""

import unicodedata

from parcels.errors import ConfigError

MAX_CHARACTERS = 64
INSIDE = " ._@+-'’·"  # besides letters, marks and digits
JOINERS = "\u200c\u200d"  # between letters: Persian and Indic names are spelled with them


def annotator_name(given: str) -> str:
    r"""Return the normalised name (NFC, single blanks); raise ConfigError for an invalid one.

    A name is a value in tables and in JSON, never a part of a path. Controls, marks of direction and signs that mean
    something to shells, markup or paths are refused all the same: names are printed, exported and read by people.

    >>> [annotator_name(name) for name in ("ann", " Zoe\u0308  Müller ", "李", "O’Brien", "ann@example.org")]
    ['ann', 'Zoë Müller', '李', 'O’Brien', 'ann@example.org']
    >>> annotator_name("../x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    parcels.errors.ConfigError: Invalid annotator name '../x': use letters, digits, blanks and . _ @ + - ' ’ ·, ...
    """
    spaced = "".join(" " if unicodedata.category(one) == "Zs" else one for one in given)  # other blanks than U+0020
    name = unicodedata.normalize("NFC", " ".join(part for part in spaced.split(" ") if part))
    if not name or len(name) > MAX_CHARACTERS or not _is_letter(name[0]) or not _is_spelled(name):
        raise ConfigError(
            f"Invalid annotator name {given[: MAX_CHARACTERS + 1]!r}: use letters, digits, blanks and "
            f"{' '.join(INSIDE.strip())}, beginning with a letter or digit, at most {MAX_CHARACTERS} characters"
        )
    return name


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def _is_spelled(name: str) -> bool:
    for at, character in enumerate(name):
        if character in JOINERS:
            if at + 1 == len(name) or not _is_letter(name[at + 1]):
                return False
        elif character not in INSIDE and unicodedata.category(character)[0] not in "LMN":
            return False
    return True
