"""Porter's stemmer (Porter 1980) as NLTK's PorterStemmer stems in its default mode, NLTK_EXTENSIONS.

The extensions matter here: in the original algorithm "news" and "new" have the same stem, and "is" becomes "i".
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from parcels.compiled import loaded

_fast = loaded("parcels.nlp.stem_fast")

MAX_LENGTH = 64  # longer runs of characters are no words; they are their own stems

_IRREGULAR = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "innings": "inning",
    "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning", "canning": "canning",
    "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful", "logi": "log",
}  # fmt: skip
_STEP3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize"


def _by_end(suffixes: Iterable[str]) -> dict[str, list[str]]:
    """Suffixes by their last two letters: most words are ruled out by these. The order of the rules is kept."""
    found: dict[str, list[str]] = {}
    for suffix in suffixes:
        found.setdefault(suffix[-2:], []).append(suffix)
    return found


_ENDS2, _ENDS3, _ENDS4 = _by_end(_STEP2), _by_end(_STEP3), _by_end(_STEP4.split())


class _Letters(dict[int, str]):
    def __missing__(self, letter: int) -> str:
        return "c"


_LETTERS = _Letters({**dict.fromkeys(range(128), "c"), **{ord(vowel): "v" for vowel in "aeiou"}, ord("y"): "y"})


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a word, in lower case; remembered.

    >>> [stem(word) for word in ("Relational", "agencies", "newsletters", "hopping", "subscribed", "news", "is")]
    ['relat', 'agenc', 'newslett', 'hop', 'subscrib', 'news', 'is']
    """
    return find_stem(word)


def find_stem(word: str) -> str:
    """The same for those who remember it themselves."""
    word = word.lower()
    if len(word) <= 2 or len(word) > MAX_LENGTH:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    return (_fast.stem(word) if _fast is not None else None) or by_steps(word)


def stems(words: list[str], otherwise: Callable[[str], str]) -> list[str]:
    """The stems of words of letters; of what is not in plain letters, what `otherwise` says.

    >>> stems(["Reports", "3:04"], lambda word: "a time")
    ['report', 'a time']
    """
    if _fast is not None:
        found: list[str] = _fast.stems(words, _IRREGULAR, otherwise)
        return found
    return [find_stem(word) if word.isascii() and word.isalpha() else otherwise(word) for word in words]


def by_steps(word: str) -> str:
    """The stem of a regular word in lower case, by the algorithm's five steps."""
    word = _step1b(_step1a(word))
    if word[-1:] == "y" and len(word) > 2 and _shape(word[:-1])[-1] == "c":
        word = word[:-1] + "i"
    word = _step4(_step3(_step2(word)))
    return _step5(word)


def _shape(word: str) -> str:
    """The word with c for each consonant and v for each vowel; y is a vowel behind a consonant."""
    shape = word.translate(_LETTERS)
    while (at := shape.find("y")) >= 0:
        shape = f"{shape[:at]}{'v' if at and shape[at - 1] == 'c' else 'c'}{shape[at + 1 :]}"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_cvc(word: str, shape: str) -> bool:
    return (shape[-3:] == "cvc" and word[-1] not in "wxy") or shape == "vc"


def _step1a(word: str) -> str:
    if word[-1] != "s":
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _step1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            shape = _shape(base)
            if "v" in shape:
                return _mended(base, shape)
    return word


def _mended(base: str, shape: str) -> str:
    """What `ed` or `ing` was cut from, as a word of its own."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and shape[-1] == "c":
        return base if base[-1] in "lsz" else base[:-1]
    return base + "e" if shape.count("vc") == 1 and _ends_cvc(base, shape) else base


def _step2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]):
        return _step2(word[:-2])
    for suffix in _ENDS2.get(word[-2:], ()):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + _STEP2[suffix] if _measure(word[:-3] if suffix == "logi" else base) else word
    return word


def _step3(word: str) -> str:
    for suffix in _ENDS3.get(word[-2:], ()):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + _STEP3[suffix] if _measure(base) else word
    return word


def _step4(word: str) -> str:
    for suffix in _ENDS4.get(word[-2:], ()):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if suffix == "ion" and base[-1:] not in ("s", "t"):
                return word
            return base if _measure(base) > 1 else word
    return word


def _step5(word: str) -> str:
    if word[-1:] == "e":
        base = word[:-1]
        shape = _shape(base)
        measure = shape.count("vc")
        if measure > 1 or (measure == 1 and not _ends_cvc(base, shape)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
