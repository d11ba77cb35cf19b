"""A small bitmap font for pictures of pages: ASCII as dots, accents left out, other scripts not drawn."""

import unicodedata
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

Dots = NDArray[np.bool_]

HEIGHT = 9  # dots of a letter; its last two rows are below the line
BLANK = 3  # dots of a blank
MIN_DRAWN = 0.7  # of a text's letters: a text with fewer is in a script that the font lacks
_SPELLED = str.maketrans({
    "‘": "'", "’": "'", "‚": ",", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-", "−": "-",
    "•": "*", "·": ".", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "đ": "d", "ð": "d", "þ": "th", "ı": "i", "€": "EUR", "£": "GBP", "©": "(c)",
})  # fmt: skip


@cache
def letters() -> dict[str, Dots]:
    """Return the dots of each letter, in the letter's width."""
    text = (resources.files("parcels.layout.boxes") / "font.txt").read_text("utf-8")
    dots_by_letter = {" ": np.zeros((HEIGHT, BLANK), np.bool_)}
    for line in text.splitlines()[1:]:
        dots = np.zeros((HEIGHT, 6), np.bool_)
        for row, number in enumerate(line[2:].split()):
            dots[row, :5] = [int(number, 16) & (16 >> column) for column in range(5)]
        inked = np.flatnonzero(dots.any(axis=0))
        dots_by_letter[line[0]] = dots[:, inked[0] : inked[-1] + 2]  # and one dot between letters
    return dots_by_letter


def drawable(text: str) -> str:
    """Return the text in letters of the font; empty where most of it is in a script that the font lacks.

    >>> drawable("Zoë’s “Straße” …"), drawable("日本語の新聞"), drawable("")
    ('Zoe\\'s "Strasse" …', '', '')
    """
    known = letters()
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text.replace("…", "\0").translate(_SPELLED)).replace("\0", "…")
        if not unicodedata.combining(letter)
    )
    drawn = "".join(letter if letter in known else " " if letter.isspace() else "?" for letter in plain)
    has_enough = sum(letter in known for letter in plain) >= MIN_DRAWN * len(plain)
    return drawn if has_enough else ""


def dots_of(text: str, size: int = 1) -> Dots:
    """Return a line of drawable text as dots, each letter `size` times as large.

    >>> dots_of("ab", 2).shape
    (18, 24)
    """
    known = letters()
    line = np.concatenate([known[letter] for letter in text], axis=1) if text else np.zeros((HEIGHT, 0), np.bool_)
    return line.repeat(size, axis=0).repeat(size, axis=1)


def width_of(text: str) -> int:
    """Return how many dots wide a line of drawable text is.

    >>> width_of("ab"), width_of("ill")
    (12, 12)
    """
    known = letters()
    return sum(known[letter].shape[1] for letter in text)


def wrapped(text: str, width: float) -> list[str]:
    """Return drawable text in lines of at most `width` dots; a longer word has a line of its own.

    >>> wrapped("Nobody was hurt.", 60)
    ['Nobody was', 'hurt.']
    """
    lines: list[str] = []
    used = 0.0
    for word in text.split():
        wide = width_of(word)
        if lines and used + BLANK + wide <= width:
            lines[-1] += f" {word}"
            used += BLANK + wide
        else:
            lines.append(word)
            used = wide
    return lines


def cut(line: str, width: float) -> str:
    """Return as much of a line as fits, an ellipsis for the rest.

    >>> cut("Nobody was hurt.", 40)
    'Nobod…'
    """
    ends = np.cumsum([letters()[letter].shape[1] for letter in line])
    if not line or ends[-1] <= width:
        return line
    return line[: int(np.searchsorted(ends, width - width_of("…"), "right"))].rstrip() + "…"
