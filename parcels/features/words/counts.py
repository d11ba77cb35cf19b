"""The input of lexical features: the tokens, tags, names, dates and links of a page's blocks, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from parcels.divide import Division, block_text
from parcels.features.words.patterns import Patterns, patterns
from parcels.html.page import Page
from parcels.text.analysis import Analyser, Analysis, shipped
from parcels.text.dates import Moment, find_moments
from parcels.text.names.recogniser import OUTSIDE
from parcels.text.names.runs import KINDS
from parcels.text.wordlists import Flag

Counts = NDArray[np.int64]
Bools = NDArray[np.bool_]

# The paper's classes of tags (QTAG's, similar ones together), by Penn tag; the rest comes from word lists.
CLASSES = (
    "nouns", "proper-nouns", "pronouns", "pronouns-indefinite", "pronouns-wh", "adjectives", "adverbs", "adverbs-wh",
    "verbs", "be's", "do's", "have's", "conjunctions", "determiners", "determiners-pre", "determiners-wh",
    "prepositions", "numbers", "symbols", "possessives", "negatives", "existential-there's", "foreign-words",
    "modal-auxiliaries", "adverbial-particles", "infinitive-markers", "interjections", "",
)  # fmt: skip
_BY_TAG = {
    "NN": "nouns", "NNS": "nouns", "NNP": "proper-nouns", "NNPS": "proper-nouns", "PRP": "pronouns",
    "WP": "pronouns-wh", "WP$": "pronouns-wh", "JJ": "adjectives", "JJR": "adjectives", "JJS": "adjectives",
    "RB": "adverbs", "RBR": "adverbs", "RBS": "adverbs", "WRB": "adverbs-wh", "VB": "verbs", "VBD": "verbs",
    "VBG": "verbs", "VBN": "verbs", "VBP": "verbs", "VBZ": "verbs", "CC": "conjunctions", "DT": "determiners",
    "PDT": "determiners-pre", "WDT": "determiners-wh", "IN": "prepositions", "CD": "numbers", "SYM": "symbols",
    "$": "symbols", "#": "symbols", "NFP": "symbols", "POS": "possessives", "PRP$": "possessives",
    "EX": "existential-there's", "FW": "foreign-words", "MD": "modal-auxiliaries", "RP": "adverbial-particles",
    "TO": "infinitive-markers", "UH": "interjections",
}  # fmt: skip
_NUMBER = {name: number for number, name in enumerate(CLASSES)}
# Flags that move a token to another class: the flag, the two classes it may come from, and the new class.
_RULES: list[tuple[np.uint32, int, int, int]] = [
    (np.uint32(flag), _NUMBER.get(one, -1), _NUMBER.get(other, -1), _NUMBER[now])
    for flag, (one, other), now in (
        (Flag.SUBORDINATE, ("prepositions", "prepositions"), "conjunctions"),
        (Flag.INDEFINITE, ("nouns", "pronouns"), "pronouns-indefinite"),
        (Flag.BE, ("verbs", "verbs"), "be's"),
        (Flag.DO, ("verbs", "verbs"), "do's"),
        (Flag.HAVE, ("verbs", "verbs"), "have's"),
        (Flag.NEGATIVE, ("any", "any"), "negatives"),
    )
]
_RULED = np.bitwise_or.reduce([flag for flag, *_ in _RULES])
IMAGE_ENDS = frozenset([".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff", ".avif"])


@dataclass(frozen=True)
class BlockWords:
    """The words of a page's blocks."""

    page: Page
    division: Division
    texts: Sequence[str]
    analysis: Analysis

    @classmethod
    def of(
        cls, page: Page, division: Division, *, texts: Sequence[str] | None = None, analyser: Analyser | None = None
    ) -> "BlockWords":
        """Analyse the words of a divided page; `texts` are the texts of its blocks, if they are already known."""
        if texts is None:
            texts = [block_text(page, first, end) for first, end in division.ranges()]
        return cls(page, division, texts, (analyser or shipped()).analyse(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def has_any(self, is_counted: Bools) -> Bools:
        """Return which blocks have a token of some kind."""
        return self.analysis.count(is_counted) > 0

    def has(self, flag: int) -> Bools:
        """Return which blocks have a token with a flag."""
        result = np.zeros(len(self), np.bool_)
        result[self.analysis.text_of[self.analysis.has(flag)]] = True
        return result

    @cached_property
    def total(self) -> Counts:
        """Number of tokens in each block."""
        return np.diff(self.analysis.begin)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of each class of tags in each block's tokens: block x class."""
        of = self.analysis
        classes = _by_tag(of.tag_names)[of.tag]
        places = np.flatnonzero(of.flags & _RULED)
        flags, own = of.flags[places], classes[places]
        for flag, one, other, then in _RULES:
            is_then = (flags & flag) != 0
            classes[places[is_then if one == -1 else is_then & ((own == one) | (own == other))]] = then
        counts = np.bincount(of.text_of * len(CLASSES) + classes, minlength=len(self) * len(CLASSES))
        shares: NDArray[np.float64] = counts.reshape(len(self), len(CLASSES)) / np.maximum(self.total, 1)[:, None]
        return shares

    def share(self, name: str) -> NDArray[np.float64]:
        """Return the share of a class of tags in each block's tokens."""
        return self.shares[:, _NUMBER[name]]

    @cached_property
    def patterns(self) -> Patterns:
        """The blocks that contain each of the papers' tag patterns."""
        return patterns(self.analysis)

    @cached_property
    def names(self) -> dict[str, Counts]:
        """Number of names of each kind that begin in each block."""
        label, count = self.analysis.label, len(KINDS)
        before = np.concatenate(([OUTSIDE], label[:-1])) if len(label) else label
        is_other = (before == OUTSIDE) | (before % count != label % count)
        begun = np.flatnonzero((label < count) | ((label != OUTSIDE) & is_other))  # B-, then I- of the kinds, then O
        places = label[begun] % count * len(self) + self.analysis.text_of[begun]
        counts = np.bincount(places, minlength=count * len(self)).reshape(count, len(self))
        return dict(zip(KINDS, counts, strict=True))

    @cached_property
    def moments(self) -> dict[int, list[Moment]]:
        """The dates and times of each block that has any."""
        in_words = self.has(Flag.SPOKEN)
        may_have = np.flatnonzero(in_words | self.has(Flag.NUMBER)).tolist()
        by_block = {block: find_moments(self.texts[block], in_words=bool(in_words[block])) for block in may_have}
        return {block: moments for block, moments in by_block.items() if moments}

    def count_moments(self, kind: Literal["date", "time"]) -> Counts:
        """Return the number of dates, or of times, in each block."""
        counts = np.zeros(len(self), np.int64)
        for block, moments in self.moments.items():
            counts[block] = [moment.kind for moment in moments].count(kind)
        return counts

    @cached_property
    def links(self) -> "Links":
        """The links of the blocks."""
        return Links.of(self.page, self.division)


@cache
def _by_tag(tag_names: tuple[str, ...]) -> Counts:
    """Return the class of each tag."""
    return np.array([_NUMBER[_BY_TAG.get(tag, "")] for tag in tag_names], np.int64)


def _leads_to(href: str) -> tuple[bool, bool]:
    """Return whether an address is for e-mail, and whether it is that of an image.

    >>> _leads_to("MAILTO:a@b.example"), _leads_to("/a.JPG?size=2"), _leads_to("/a?b=c.png")
    ((True, False), (False, True), (False, False))
    """
    low = href.lower()
    path = low.partition("?")[0].partition("#")[0]
    return "mailto:" in low, path[path.rfind(".") :] in IMAGE_ENDS


@dataclass(frozen=True, slots=True)
class Links:
    """The links of the blocks. A link occurs once for each block that holds a leaf of it."""

    block: NDArray[np.int64]
    is_email: Bools
    is_image: Bools  # shows an image and no text
    to_image: Bools  # points to an image
    count: int

    @classmethod
    def of(cls, page: Page, division: Division) -> "Links":
        """Return the links of a divided page."""
        kinds, rows, count = page.leaves.kind, page.nodes.link[page.leaves.node], max(1, len(page.nodes))
        linked = np.flatnonzero(rows >= 0)
        keys, link_of = np.unique(division.block_of_leaf()[linked] * count + rows[linked], return_inverse=True)
        shows_image, shows_text = np.zeros(len(keys), np.bool_), np.zeros(len(keys), np.bool_)
        kind = [kinds[leaf] for leaf in linked.tolist()]
        shows_image[link_of[[one == "img" for one in kind]]] = True
        shows_text[link_of[[one == "text" for one in kind]]] = True
        attributes = page.nodes.attributes
        leads_to = [_leads_to(attributes[row].get("href", "")) for row in (keys % count).tolist()]
        is_email, to_image = np.array(leads_to, np.bool_).reshape(-1, 2).T
        return cls(keys // count, is_email, shows_image & ~shows_text, to_image, len(division))

    def total(self, is_counted: Any = None) -> Counts:
        """Return the number of links, or of the selected links, in each block."""
        return np.bincount(self.block if is_counted is None else self.block[is_counted], minlength=self.count)
