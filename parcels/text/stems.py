# cython: wraparound=False
"""Porter's stemmer (Porter 1980), equal to NLTK's PorterStemmer in its default mode NLTK_EXTENSIONS.

In the original algorithm, "news" and "new" have the same stem and "is" becomes "i".
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

MAX_LENGTH = 64  # longer words are their own stems

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


def _by_letter(endings: Iterable[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Return endings and replacements by the ending's last letter but one, in the order of the rules."""
    rules: list[list[tuple[str, str]]] = [[] for _ in range(128)]
    for ending, replacement in endings:
        rules[ord(ending[len(ending) - 2])].append((ending, replacement))
    return rules


_RULES2, _RULES3 = _by_letter(_STEP2.items()), _by_letter(_STEP3.items())
_RULES4 = _by_letter((ending, "") for ending in _STEP4.split())


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word in lower case. Results are cached.

    >>> [stem(word) for word in ("Relational", "agencies", "newsletters", "hopping", "subscribed", "news", "is")]
    ['relat', 'agenc', 'newslett', 'hop', 'subscrib', 'news', 'is']
    """
    return find_stem(word)


def find_stem(word: str) -> str:
    """Return the stem of a word in lower case, without a cache."""
    word = word.lower()
    if len(word) <= 2 or len(word) > MAX_LENGTH:
        return word
    irregular = _IRREGULAR.get(word)
    return _by_steps(word) if irregular is None else irregular


def stems(words: list[str], otherwise: Callable[[str], str]) -> list[str]:
    """Return the stems of words of ASCII letters; for other words, the result of `otherwise`.

    >>> stems(["Reports", "3:04"], lambda word: "a time")
    ['report', 'a time']
    """
    result = []
    for word in words:
        result.append(find_stem(word) if _is_plain(word) else otherwise(word))
    return result


def _is_plain(word: str) -> bool:
    """Return whether a word has only ASCII letters."""
    for at in range(len(word)):
        letter = word[at]
        if not ("a" <= letter <= "z" or "A" <= letter <= "Z"):
            return False
    return len(word) > 0


def _by_steps(word: str) -> str:
    """Return the stem of a regular word in lower case, by the algorithm's five steps."""
    word = _step1b(_step1a(word))
    size = len(word)
    if size > 2 and word[size - 1] == "y" and not _ends_in_vowel(word, size - 1):
        word = word[: size - 1] + "i"
    return _step5(_step4(_step3(_step2(word))))


def _is_vowel(letter: str, is_after_consonant: bool) -> bool:
    return letter in "aeiou" or (letter == "y" and is_after_consonant)


def _ends_in_vowel(word: str, size: int) -> bool:
    """Return whether the first `size` letters end in a vowel; y is a vowel after a consonant."""
    is_vowel = False
    for at in range(size):
        is_vowel = _is_vowel(word[at], at > 0 and not is_vowel)
    return is_vowel


def _has_vowel(word: str, size: int) -> bool:
    for at in range(size):  # noqa: SIM110 - a generator would not be compiled to a loop
        if _is_vowel(word[at], at > 0):  # no vowel came before
            return True
    return False


def _measure(word: str, size: int) -> int:
    """Return how often a consonant follows a vowel in the first `size` letters."""
    count = 0
    is_vowel = False
    for at in range(size):
        was_vowel = is_vowel
        is_vowel = _is_vowel(word[at], at > 0 and not was_vowel)
        if was_vowel and not is_vowel:
            count += 1
    return count


def _ends_cvc(word: str, size: int) -> bool:
    """Return whether the first `size` letters end in consonant, vowel, consonant, or are a vowel and a consonant."""
    first = second = third = False
    for at in range(size):
        first, second = second, third
        third = _is_vowel(word[at], at > 0 and not second)
    if third or not second or size < 2:
        return False
    return size == 2 or (not first and word[size - 1] not in "wxy")


def _ends(word: str, ending: str) -> bool:
    """Return whether a word has an ending: str.endswith without a Python call."""
    begin = len(word) - len(ending)
    if begin < 0:
        return False
    for at in range(len(ending) - 1, -1, -1):  # noqa: SIM110
        if word[begin + at] != ending[at]:
            return False
    return True


def _step1a(word: str) -> str:
    size = len(word)
    if word[size - 1] != "s":
        return word
    if _ends(word, "ies"):
        return word[: size - 1] if size == 4 else word[: size - 2]
    if _ends(word, "sses"):
        return word[: size - 2]
    return word if _ends(word, "ss") else word[: size - 1]


def _step1b(word: str) -> str:
    size = len(word)
    if _ends(word, "ied"):
        return word[: size - 1] if size == 4 else word[: size - 2]
    if _ends(word, "eed"):
        return word[: size - 1] if _measure(word, size - 3) else word
    cut = 2 if _ends(word, "ed") else 3 if _ends(word, "ing") else 0
    return _mended(word[: size - cut]) if cut and _has_vowel(word, size - cut) else word


def _mended(base: str) -> str:
    """Return the word from which `ed` or `ing` was removed, with its ending repaired."""
    if _ends(base, "at") or _ends(base, "bl") or _ends(base, "iz"):
        return base + "e"
    size = len(base)
    last = base[size - 1]
    if size > 1 and last == base[size - 2] and not _ends_in_vowel(base, size):
        return base if last in "lsz" else base[: size - 1]
    return base + "e" if _measure(base, size) == 1 and _ends_cvc(base, size) else base


def _rule(word: str, rules: list[list[tuple[str, str]]]) -> tuple[str, str] | None:
    """Return the first rule whose ending a word has."""
    if len(word) < 2 or ord(word[len(word) - 2]) >= len(rules):
        return None
    for rule in rules[ord(word[len(word) - 2])]:
        if _ends(word, rule[0]):
            return rule
    return None


def _step2(word: str) -> str:
    while _ends(word, "alli") and _measure(word, len(word) - 4):
        word = word[: len(word) - 2]
    rule = _rule(word, _RULES2)
    if rule is None:
        return word
    base = len(word) - len(rule[0])
    return word[:base] + rule[1] if _measure(word, base + (rule[0] == "logi")) else word


def _step3(word: str) -> str:
    rule = _rule(word, _RULES3)
    if rule is None:
        return word
    base = len(word) - len(rule[0])
    return word[:base] + rule[1] if _measure(word, base) else word


def _step4(word: str) -> str:
    rule = _rule(word, _RULES4)
    if rule is None:
        return word
    base = len(word) - len(rule[0])
    if rule[0] == "ion" and (base == 0 or word[base - 1] not in "st"):
        return word
    return word[:base] if _measure(word, base) > 1 else word


def _step5(word: str) -> str:
    size = len(word)
    if size and word[size - 1] == "e":
        measure = _measure(word, size - 1)
        if measure > 1 or (measure == 1 and not _ends_cvc(word, size - 1)):
            word = word[: size - 1]
    return word[: len(word) - 1] if _ends(word, "ll") and _measure(word, len(word) - 1) > 1 else word
