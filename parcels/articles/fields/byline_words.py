"""Patterns of the words in bylines, from `parcels/text/data/byline_words.txt`."""

import re
from importlib.resources import files


def _words() -> dict[str, str]:
    """Return for each kind of word an alternation of its words, the longest first."""
    words: dict[str, set[str]] = {}
    kind = ""
    for line in (files("parcels.text.data") / "byline_words.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line and not line.startswith("#"):
            words.setdefault(kind, set()).update(
                re.escape(word).replace("_", r"\s") for word in line.partition(": ")[2].split()
            )
    return {kind: "|".join(sorted(own, key=lambda word: (-len(word), word))) for kind, own in words.items()}


_W = _words()
_LABEL = rf"(?:{_W['label']})(?:\s(?:and|und|et|&)\s(?:{_W['label']}))?\s?[:：]\s*"
# At the start of a line: "Published 9:00 by ", "Author: ".
BY = re.compile(
    rf"^\W*+(?:(?:{_W['written']}|story|words|text|reported|analysis|review(?:ed)?|photos|and|on|[\d:.,/-]++|"
    rf"[A-Z]{{3}}) ){{0,8}}(?:(?:{_W['by']})\b:?\s+|By(?=[A-Z])|{_LABEL})",
    re.I,
)
# Inside a short line, after a date or a sign: "3 May 2021 by ", "3 comments | posted by ".
INNER_BY = re.compile(rf"(?:[\d|·•,:)–—-]\s*|\b(?:{_W['written']})\s+)(?:{_W['by']})\s+|[\d|·•]\s*{_LABEL}", re.I)
BY_ALONE = re.compile(
    rf"^(?:(?:{_W['written']}) )?(?:(?:{_W['by']})\s?[:：]?|(?:author|autor|auteur|autore)s?(?:\(s\))?|"
    rf"(?:{_W['label']})\s?[:：])$",
    re.I,
)
PICTURE = re.compile(rf"^\W*(?:{_W['picture']})s?\s?(?:[:：/]|by\b)", re.I)
JOINS = re.compile(rf"\s(?:{_W['with']})\s")  # lower case only: "dan" joins names, Dan is one
# At the start of a line anywhere on a page: it can only be about the author of a text.
WRITTEN_BY = re.compile(
    rf"^\W*(?:(?:{_W['written']}) (?:{_W['by']})\s?:?\s+|"
    r"(?:about the )?(?:author|autor|auteur|autore)s?(?:\(s\))?\s?[:：]\s*)",
    re.I,
)
