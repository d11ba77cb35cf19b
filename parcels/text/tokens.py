"""Tokenisation as in the Universal Dependencies treebanks, on which the tagger is trained.

Text is split at white space into chunks. The tokens of a chunk do not depend on other chunks, so they can be cached.
Contractions are split (do n't, it 's), and so are hyphenated words (15 - year), but not after a prefix (co-founder).
Addresses, numbers and abbreviations stay whole.
"""

import re
from bisect import bisect_right
from functools import lru_cache

# Words that keep their full stop. Most lower-case forms are left out: they also end sentences ("he was ill.").
_ABBREVIATIONS = (
    "Mr Mrs Ms Dr Prof Rev Hon Gen Col Lt Sgt Capt Cmdr Maj Adm Gov Sen Rep Pres St Ste Mt Ft Jr Sr Inc Corp Co Ltd "
    "LLC Bros PLC No Nos Vol Fig Dept Univ Assn Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed "
    "Thu Thur Thurs Fri Sat Sun Ave Blvd Rd Calif Mass Conn Wash Ariz Colo Fla Ill Ind Kan Ky Mich Minn Miss Mo "
    "Neb Nev Okla Ore Pa Tenn Tex Va Wis Messrs Supt Det Insp "
    "vs etc al pp approx a.m p.m e.g i.e inc corp ltd co jan feb mr mrs dr"
)
ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
# Prefixes that stay joined to the next word (UD English: co-founder is one token, long-term three).
_PREFIXES = (
    "e co re pre pro non anti post mid ex multi over semi neo pan sub mini micro ultra inter intra trans under counter "
    "extra un de pseudo quasi socio psycho arch proto para meta bi tri electro"
)
PREFIXES = frozenset(_PREFIXES.split())

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]'’»”]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)*"
    r"|(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|co\.uk|org\.uk|de|fr|tv|io|ca|au)(?:/[\w./-]*)?(?!\w)",
    re.I,
)
_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}"  # U.S. a.m.
    r"|\d{3}-\d{3,4}(?:-\d{4})?(?!\w)"  # telephone
    r"|(?:(?<!\w)[+-])?\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s|m|k|bn|am|pm)?(?![^\W_])"  # 1,500 3:04 1990s 5th 12/31/2003
    r"|['’](?:s|m|re|ve|ll|d)(?!\w)"
    r"|[^\W_]+(?:['’&][^\W_]+)*"  # words, also don't, AT&T
    r"|[_*=~#]{2,}|-{2,}|\.{2,}|!{2,}|\?{2,}|['’]{2}|``"
    r"|[^\w\s]|_"
)
_CLITIC = re.compile(r"(n['’]t|['’](?:s|m|re|ve|ll|d))$", re.I)
_MARK = re.compile(r"@|://|www\.|\.(?:com|org|net|co\.uk|edu|gov|info|de|fr|tv|io|ca|au)(?!\w)", re.I)
_COMMON_ENDS = frozenset(",:;!?)")
_TWO_WORDS = {"cannot": 3, "gonna": 3, "wanna": 3, "gotta": 3, "lemme": 3, "gimme": 3}


@lru_cache(maxsize=1 << 14)
def split_chunk(chunk: str) -> tuple[str, ...]:
    """Return the tokens of a chunk; concatenated they are the chunk. Results are cached.

    >>> split_chunk("(don't")
    ('(', 'do', "n't")
    >>> split_chunk("15-year-olds,"), split_chunk("co-founder's")
    (('15', '-', 'year', '-', 'olds', ','), ('co-founder', "'s"))
    >>> split_chunk("U.S.-backed"), split_chunk("ann@example.org."), split_chunk("1,500.50")
    (('U.S.', '-', 'backed'), ('ann@example.org', '.'), ('1,500.50',))
    """
    return cut_chunk(chunk)


def cut_chunk(chunk: str) -> tuple[str, ...]:
    """Return the tokens of a chunk, without a cache."""
    if chunk.isalpha():
        cut = _TWO_WORDS.get(chunk.lower())
        return (chunk[:cut], chunk[cut:]) if cut else (chunk,)
    body, end = chunk[:-1], chunk[-1:]
    if body.isalpha():
        if end in _COMMON_ENDS:
            return (body, end)
        if end == ".":
            return (chunk,) if _keeps_stop(body) else (body, end)
    elif chunk.isdecimal():
        return (chunk,)
    tokens: list[str] = []
    if len(chunk) > 4 and _MARK.search(chunk):
        at = 0
        for address in _ADDRESS.finditer(chunk):
            _add(chunk[at : address.start()], tokens)
            tokens.append(address.group())
            at = address.end()
        _add(chunk[at:], tokens)
    else:
        _add(chunk, tokens)
    return tuple(tokens)


def _add(chunk: str, tokens: list[str]) -> None:
    """Append the tokens of a chunk without addresses."""
    start = len(tokens)
    for token in _TOKEN.findall(chunk):
        for piece in _without_clitic(token) if "'" in token or "’" in token else (token,):
            if piece == "." and len(tokens) > start and _keeps_stop(tokens[-1]):
                tokens[-1] += piece
            elif (
                len(tokens) > start + 1 and tokens[-1] == "-" and piece[0].isalpha() and tokens[-2].lower() in PREFIXES
            ):
                tokens[-2:] = [f"{tokens[-2]}-{piece}"]
            else:
                tokens.append(piece)


def _without_clitic(word: str) -> tuple[str, ...]:
    clitic = _CLITIC.search(word)
    return (word[: clitic.start()], clitic.group()) if clitic and clitic.start() else (word,)


def _keeps_stop(word: str) -> bool:
    return word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word.isupper() and word != "I")


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokenize("By ANN LEE  (AP) - It's 3:04 p.m.; she can't wait.")
    ['By', 'ANN', 'LEE', '(', 'AP', ')', '-', 'It', "'s", '3:04', 'p.m.', ';', 'she', 'ca', "n't", 'wait', '.']
    """
    return [token for chunk in text.split() for token in split_chunk(chunk)]


def offsets(text: str, tokens: list[str]) -> list[tuple[int, int]]:
    """Return the start and end of each token in its text.

    >>> offsets("It's  me", ["It", "'s", "me"])
    [(0, 2), (2, 4), (6, 8)]
    """
    spans, at = [], 0
    for token in tokens:
        start = text.index(token, at)
        at = start + len(token)
        spans.append((start, at))
    return spans


def token_at(starts: list[int], offset: int) -> int:
    """Return the index of the token that contains a character.

    >>> token_at([0, 2, 6], 3)
    1
    """
    return bisect_right(starts, offset) - 1
