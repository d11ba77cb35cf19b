"""Font metrics: advance widths of characters by typeface, and cached widths of words.

The tables are facts of the Liberation fonts (the free fonts with the widths of Arial, Times New Roman and Courier New,
which Chromium takes for them on Linux), in thousandths of the font size, measured at 2,048 units an em.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

TABLED = 0x530  # Latin, Greek, Cyrillic, Armenian's first: characters below are looked up one by one
PUNCTUATION_FROM, PUNCTUATION_TO = 0x2000, 0x2070  # dashes, quotes, dots, and blanks of no width
IDEOGRAPHS = 0x2E80  # from here on a character is as wide as it is high and a line may end behind it
BLANK, END, HYPHEN = 32, 10, 45

# From the blank (32) to the tilde (126).
_SANS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
_SANS_BOLD = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 "
    "584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 "
    "333 611 556 778 556 556 500 389 280 389 584"
)
_SERIF = (
    "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 "
    "564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 "
    "722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 "
    "278 500 500 722 500 500 444 480 200 480 541"
)
_SERIF_BOLD = (
    "250 333 555 500 500 1000 833 278 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333 "
    "570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722 1000 "
    "722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 "
    "333 556 500 722 500 500 444 394 220 394 520"
)
_MONO = 0.602  # DejaVu Sans Mono, Chromium's monospace on Linux; Liberation Mono has 0.600
_MONO_NAMES = re.compile(r"mono|courier|consolas|menlo|\btypewriter|\bcode\b|fixed", re.I)
_SERIF_NAMES = re.compile(
    r"^(?!.*sans)(.*serif|times.*|.*\btimes\b.*|georgia.*|garamond.*|palatino.*|cambria.*|baskerville.*|caslon.*|.*\broman\b.*"
    r"|minion.*|book antiqua|merriweather|lora|playfair.*|.*slab.*|droid serif|constantia|didot|)$",
    re.I,
)
BOLD_FROM = 600.0  # font-weight; a family with two weights shows the bold one from here (CSS Fonts 4, 5.2)
_DASHES = {"–": 0.55, "—": 1.0, "…": 1.0, "“": 0.36, "”": 0.36, "‘": 0.25, "’": 0.25, "•": 0.35, "\xa0": 0.27}
_OTHER = 0.57  # mean of Liberation's Greek and Cyrillic letters
_IDEOGRAPH = 1.0
_MARKS = frozenset(["Mn", "Me", "Cf", "Cc"])  # take no room of their own
_KEPT_WORDS = 200_000  # a face's cache grows no further
_KEPT_LETTERS = 40  # longer words seldom recur
WIDE = re.compile("[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]")


class _LetterWidths(dict[str, float]):
    """The width of each character, in font sizes."""

    def __missing__(self, letter: str) -> float:
        width = self._measure(letter)
        if len(self) < _KEPT_WORDS:
            self[letter] = width
        return width

    def _measure(self, letter: str) -> float:
        if "a" not in self:
            return _MONO if unicodedata.category(letter) not in _MARKS else 0.0
        if letter in _DASHES:
            return _DASHES[letter]
        if WIDE.match(letter):
            return _IDEOGRAPH
        base = unicodedata.normalize("NFD", letter)[0]
        if base != letter and base in self:
            return self[base]
        return 0.0 if unicodedata.category(letter) in _MARKS else _OTHER


class _WordWidths(dict[str, float]):
    """The width of each word, in font sizes."""

    def __init__(self, letters: _LetterWidths):
        super().__init__()
        self._letters = letters

    def __missing__(self, word: str) -> float:
        width = sum(map(self._letters.__getitem__, word))
        if len(word) <= _KEPT_LETTERS and len(self) < _KEPT_WORDS:
            self[word] = width
        return width


@dataclass(frozen=True, slots=True)
class Face:
    """A typeface in one weight: word and letter widths, space width, ascent and descent."""

    words: _WordWidths
    letters: _LetterWidths
    blank: float
    ascent: float
    descent: float


def _face(table: str, ascent: float, descent: float, kerning: float = 1.0) -> Face:
    letters = _LetterWidths((chr(32 + n), int(width) / 1000 * kerning) for n, width in enumerate(table.split()))
    return Face(_WordWidths(letters), letters, letters[" "], ascent, descent)


# Ascent and descent: hhea table of the same fonts. Kerning makes serif text a little narrower than its letters.
FACES = (
    _face(_SANS, 0.905, 0.212),
    _face(_SANS_BOLD, 0.905, 0.212),
    _face(_SERIF, 0.891, 0.216, 0.9975),
    _face(_SERIF_BOLD, 0.891, 0.216, 0.9975),
    _face("", 0.928, 0.236),
    _face("", 0.928, 0.236),
)
ASCENTS = np.array([face.ascent for face in FACES])
DESCENTS = np.array([face.descent for face in FACES])
BLANKS = np.array([face.blank for face in FACES])
GAPS = np.array([0.033, 0.033, 0.042, 0.042, 0.0, 0.0])  # between lines of normal height, same table


@lru_cache(maxsize=4096)  # pages name the same few
def face_number(family: str) -> int:
    """Return the row in FACES of a family's regular weight; the bold weight is the next row.

    >>> [face_number(name) for name in ("Arial", "Georgia", "Courier New", "PT Sans Serif")]
    [0, 2, 4, 0]
    """
    if _MONO_NAMES.search(family):
        return 4
    return 2 if _SERIF_NAMES.match(family.strip().strip("\"'")) else 0
