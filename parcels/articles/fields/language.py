"""The language of a text, by its script or its function words."""

import re
from collections import Counter
from functools import cache

READ = 3000  # characters read per text
LEAST_WORDS = 20
LEAST_SHARE = 0.10  # share of words that must be function words of the language
MARGIN = 1.5  # required ratio to the next language
OF_SCRIPT = 0.5  # share of letters from which a script decides
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = {
    "en": "the and of to in is that for was on with as it by at from are his her have not this be which they but has",
    "de": "der die und das den von zu mit ist im nicht ein eine dem des sich auf für auch es an als sie wird bei nach",
    "fr": "le la les des et en un une du est que pour dans qui par sur pas au plus ce avec il sont ne se cette ont",
    "es": "el la de los que y en las del un por con una para es su al lo como más pero sus se fue ha este sobre",
    "it": "il di che la e un per una in del non sono della con è da le si dei alla ha anche nel più gli ma come",
    "pt": "o a de que e do da em um para com não uma os no se na por mais as dos como mas ao foi das pelo são",
    "nl": "de het een van en in is dat op te voor met zijn niet aan er om ook als bij naar maar door over werd hij",
    "sv": "och i att en det som på är av för med den till inte har de ett om var jag men så han från kan vi",
    "da": "og i at det en er til på som af de med den for ikke der har et han var men om vi fra jeg også blev",
    "no": "og i det er på til en som av for med at har de ikke den et om var han jeg men fra vi så også ble",
    "fi": "ja on ei se että oli hän mutta ovat kun myös joka mukaan ole niin sen kuin tai vuoden jo nyt vain",
    "pl": "w i na z się nie do to że jest o jak po co ale za od przez jego tym dla są przy tak był już oraz",
    "cs": "a v se na je že s o z do i to k ve pro za by po jsem ale jako jsou který od podle také byl při",
    "ro": "de și în a la cu că pe din o nu un care este mai pentru să au fost sau ce lui prin sunt după",
    "hu": "a az és hogy nem is egy volt meg csak ez de már mint még ki el azt vagy majd minden lehet után",
    "tr": "bir ve bu için de da ile olarak çok daha olan gibi kadar ne en sonra ise var ancak göre olduğu değil",
    "id": "yang dan di dengan untuk ini dari dalam tidak pada itu ke akan juga adalah karena oleh ada sudah bisa",
}
_SCRIPTS = {  # ranges of letters; a language's own letters decide between those that share a script
    "el": "Ͱ-Ͽ", "he": "֐-׿", "ar": "؀-ۿ", "hi": "ऀ-ॿ", "bn": "ঀ-৿", "ta": "஀-௿", "th": "฀-๿", "ko": "가-힯",
    "ja": "぀-ヿ", "zh": "一-鿿", "ru": "Ѐ-ӿ",
}  # fmt: skip
_OWN = {"ar": (("fa", "پچگژ"), ("ur", "ٹڈےں")), "ru": (("uk", "іїєґ"),)}


def language_of(text: str) -> str | None:
    """Return the two-letter language code of a text, or None where it is too short or ambiguous.

    >>> language_of("The old pier burnt down in the night, and nobody was hurt, as the fire brigade said at noon "
    ...             "of the same day, but it is not known who was there and what they have seen of it.")
    'en'
    >>> language_of("Пожар на старом пирсе начался ночью, никто не пострадал, сообщили пожарные в пятницу.")
    'ru'
    >>> language_of("Menu Home Contact") is None
    True
    """
    text = text[:READ]
    letters = sum(map(str.isalpha, text))
    if letters < LEAST_WORDS:
        return None
    script = _by_script(text, letters)
    return script or _by_words(_WORD.findall(text.lower()))


def _by_script(text: str, letters: int) -> str | None:
    if text.isascii():
        return None
    counts = {code: len(pattern.findall(text)) for code, pattern in _patterns().items()}
    if counts["ja"] and counts["ja"] + counts["zh"] >= OF_SCRIPT * letters:
        return "ja"
    best = max(counts, key=counts.__getitem__)
    if counts[best] < OF_SCRIPT * letters:
        return None
    return next((code for code, own in _OWN.get(best, ()) if sum(map(text.count, own)) > 0.005 * letters), best)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {code: re.compile(f"[{letters}]") for code, letters in _SCRIPTS.items()}


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    """Return for each function word the languages that have it."""
    by_word: dict[str, tuple[str, ...]] = {}
    for code, words in _SMALL.items():
        for word in words.split():
            by_word[word] = (*by_word.get(word, ()), code)
    return by_word


def _by_words(words: list[str]) -> str | None:
    if len(words) < LEAST_WORDS:
        return None
    known, votes = _languages(), Counter[str]()
    for word in words:
        votes.update(known.get(word, ()))
    (best, most), (_, next_most) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return best if most >= LEAST_SHARE * len(words) and most >= MARGIN * next_most else None
