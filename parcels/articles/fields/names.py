"""Names in a byline: their boundaries, and tests for names."""

import re
from collections.abc import Iterator, Sequence

from parcels.articles.fields.byline_words import BY, JOINS, PICTURE
from parcels.text.dates import WEEKDAYS
from parcels.text.names.gazetteers import gazetteers

MOST_NAME_WORDS = 6
_CUT = re.compile(
    r"\s*(?:\||•|·|–|—| - |\bfor\b|\bin\b|\bat\b|\bon\b|published|updated|posted\b|\d|@|\(|\bfollow\b|\babout the\b|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s*\d)",
    re.I,
)
_GLUED_DATE = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s*\d.*")
_SPLIT = re.compile(r"\s*(?:;|,|/|&|\band\b|\bund\b|\bet\b|\by\b|\bwith\b|\n)\s*", re.I)
_ROLE = re.compile(
    r"\s*\b(?:(?:senior|staff|special|deputy|managing|executive|associate|assistant|contributing|city|political|chief|"
    r"health(?:care)?|business|sports|technology|science|news|showbiz|features?|content|guest|lead|foreign) )*"
    r"(?:editors?|reporter|correspondent|writer|journalist|columnist|producer|contributor|author|photograph\w*|ph\.?d|"
    r"professor|manager|director|analyst|critic|chief|head of .*|officer)\b.*",
    re.I,
)
_WEEKDAY_AT_END = re.compile(rf"[\s,]+(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})\.?$", re.I)
_AGENCY = re.compile(r"\s+(?:the )?(?:associated press|reuters|usa today|afp|ap)$", re.I)
_LETTERS = re.compile(r"(?<=[a-z.]{2})(?:\s+(?:[A-Z]{2,4}|[A-Z]\.[A-Z]\.))+$")  # degrees
_NOT_A_NAME = re.compile(
    r"https?:|www\.|@|\b(?:image|photo|picture|getty|share|facebook|twitter|email|read|comments?|updated|"
    r"subscribe|sign|minutes?|min|hours?|ago|article|view|more|posts?|by|contributions|click|follow|"
    r"published|on|guide|this|ask|question|artikel|articles|alle|all|name|member|type)\b|[<>{}=_#*→?!:|]",
    re.I,
)
ORGANISATION = re.compile(
    r"\b(?:news|press|agency|reuters|staff|editors?|editorial|team|desk|media|magazine|times|post|inc|ltd|university|"
    r"journal|network|institute|group|newsroom|(?:news)?wire|bbc|cnn|afp|online|daily|guardian|company|contributors?)\b|\.(?:com|org|net)",
    re.I,
)

_SMALL_WORDS = (
    "a af al and av bin bint d da das de del dem den der des di do dos du e el en et for i ibn la las le los of og "
    "och st te ten ter the und van von y zu zum zur"
)
_PARTICLES = frozenset(_SMALL_WORDS.split())


def split_names(text: str, publishers: Sequence[str] = ()) -> list[str]:
    """Return the names of a byline, without the roles, dates and agencies beside them.

    >>> split_names("By Ann Lee, senior reporter, and Bo Ek | 3 May 2021"), split_names("By Di LowDec. 2, 2021")
    (['Ann Lee', 'Bo Ek'], ['Di Low'])
    >>> split_names("By Ann Lee Fri 14 May 2004"), split_names("By Wei Sun")
    (['Ann Lee'], ['Wei Sun'])
    """
    text = _GLUED_DATE.sub("", BY.sub("", text.strip()))
    cut = _CUT.search(text)
    if cut and cut.start():
        is_date = cut[0][-1].isdigit()
        text = text[: cut.start()]
        text = _WEEKDAY_AT_END.sub("", text) if is_date else text
    names = []
    for part in _parts(text):
        if PICTURE.match(part):
            break
        name = _AGENCY.sub("", BY.sub("", part).strip(" ,:;-–—|•·\"'“”"))
        without_role = _ROLE.sub("", name)
        name = _LETTERS.sub("", without_role if " " in without_role or not ORGANISATION.search(name) else name)
        for publisher in publishers:
            name = name.removesuffix(publisher).strip() or name  # the site itself may be the author
        name = name if name.endswith(("Jr.", "Sr.")) or name[-2:-1].isupper() else name.rstrip(".")
        if is_name(name):
            names.append(name)
    return names


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a byline between commas and words that join names.

    A short word such as "e" or "og" joins names of at least two words; elsewhere it is part of a name.
    """
    for part in _SPLIT.split(text):
        joined = JOINS.split(part)
        if len(joined) > 1 and all(" " in name.strip() for name in joined):
            yield from joined
        else:
            yield part


def is_byline(text: str) -> bool:
    """Return whether a short text begins like a byline and contains a name.

    >>> is_byline("By Ann Lee"), is_byline("By then it was late")
    (True, False)
    """
    return bool(BY.match(text)) and any(" " in name for name in split_names(text))


def ends_with_name(text: str) -> bool:
    """Return whether a byline ends with the whole name of a person or organisation.

    >>> ends_with_name("By Ann Lee"), ends_with_name("By Ann"), ends_with_name("By Ann Lee and")
    (True, False, False)
    """
    last = BY.sub("", _SPLIT.split(BY.sub("", text))[-1]).strip()
    words = last.split()
    is_capital = [word[0].isupper() for word in words]
    if len(words) < 2 or not is_capital[-1] or not is_name(last):
        return False
    return all(is_upper or word in _PARTICLES for word, is_upper in zip(words, is_capital, strict=True))


def joins_names(text: str) -> bool:
    """Return whether a text begins with a separator of names, such as a comma or "and".

    >>> joins_names("and Bo Ek"), joins_names("Andy Ek")
    (True, False)
    """
    match = _SPLIT.match(text)
    return match is not None and match.end() > 0


def begins_with_role(text: str) -> bool:
    """Return whether a short text begins with the role of an author ("Senior reporter, politics")."""
    return bool(_ROLE.match(text))


def is_bare_name(text: str) -> bool:
    """Return whether a text is two to four capitalised words and nothing else."""
    words = text.split()
    return 2 <= len(words) <= 4 and all(word[0].isupper() and word.isalpha() for word in words)


def is_known_name(text: str) -> bool:
    """Return whether a text is a bare name and contains a known personal name.

    >>> is_known_name("Ann Lee"), is_known_name("KEN SOWERBY"), is_known_name("RELATED STORIES")
    (True, True, False)
    """
    known = gazetteers().words
    return is_bare_name(text) and any({"first", "last"} & set(known.get(word.lower(), ())) for word in text.split())


def is_name(text: str) -> bool:
    """Return whether a text may be the name of a person or organisation: capitalised, short, no word of menus.

    Scripts without capitals have names too.

    >>> [is_name(text) for text in ("Ann van der Lee", "배윤경", "It does not work", "Read more")]
    [True, True, False, False]
    """
    words = text.split()
    if not 1 <= len(words) <= MOST_NAME_WORDS or _NOT_A_NAME.search(text) or not text[0].isalpha():
        return False
    if is_caseless(text):
        return 2 <= len(text) <= 30
    if not 3 <= len(text) <= 60 or (len(words) == 1 and text.isupper() and len(text) <= 4):  # a degree
        return False
    return all(not word[0].islower() or word.lower() in _PARTICLES for word in words[1:]) and not text[0].islower()


def is_caseless(text: str) -> bool:
    """Return whether a text is in a script without capitals, such as Chinese or Arabic."""
    return text.lower() == text.upper()
