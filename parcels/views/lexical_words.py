"""What lexical features look at: the blocks of a page with their tokens, tags, names, dates and links, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from parcels.divide import Division, block_text
from parcels.nlp.analysis import Analyser, Analysis, shipped
from parcels.nlp.dates import Moment, find_moments
from parcels.nlp.name_runs import KINDS
from parcels.nlp.names import LABELS, OUTSIDE
from parcels.nlp.wordlists import Flag
from parcels.page import Page
from parcels.views.lexical_patterns import Patterns, patterns
from parcels.views.look import loops

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
# Flags that put a token into another class: the flag, classes of which one must be its own ("": any), the new class.
_RULES = np.array(
    [
        (flag, *(_NUMBER[name] if name else -1 for name in own), _NUMBER[now])
        for flag, own, now in (
            (Flag.SUBORDINATE, ("prepositions", "prepositions"), "conjunctions"),
            (Flag.INDEFINITE, ("nouns", "pronouns"), "pronouns-indefinite"),
            (Flag.BE, ("verbs", "verbs"), "be's"),
            (Flag.DO, ("verbs", "verbs"), "do's"),
            (Flag.HAVE, ("verbs", "verbs"), "have's"),
            (Flag.NEGATIVE, ("", ""), "negatives"),
        )
    ],
    np.int64,
)
IMAGE_ENDS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff", ".avif")


@dataclass(frozen=True)
class Words:
    """The blocks of a page for the lexical view."""

    page: Page
    division: Division
    texts: Sequence[str]
    analysis: Analysis

    @classmethod
    def of(
        cls, page: Page, division: Division, *, texts: Sequence[str] | None = None, analyser: Analyser | None = None
    ) -> "Words":
        """Read the words of a divided page; `texts` are those of its blocks, where they are at hand."""
        if texts is None:
            texts = [block_text(page, first, end) for first, end in division.ranges()]
        return cls(page, division, texts, (analyser or shipped()).analyse(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def has_any(self, is_counted: Bools) -> Bools:
        """Which blocks have such a token."""
        return self.analysis.count(is_counted) > 0

    def has(self, flag: int) -> Bools:
        """Which blocks have a token with a flag."""
        if loops is None:
            return self.has_any(self.analysis.has(flag))
        found: Bools = (self._flags & np.uint32(flag)) != 0
        return found

    @cached_property
    def _flags(self) -> NDArray[np.uint32]:
        """The flags that any token of a block has."""
        found = np.empty(len(self), np.uint32)
        loops.joined_flags(self.analysis.flags, self.analysis.begin, found)
        return found

    @cached_property
    def total(self) -> Counts:
        """Tokens a block."""
        return np.diff(self.analysis.begin)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of each class of tags in each block's tokens: block x class."""
        words, by_tag = self.analysis, _by_tag(self.analysis.tag_names)
        if loops is not None:
            counts = np.zeros((len(self), len(CLASSES)), np.int64)
            loops.classes(words.tag, words.flags, words.text_of, by_tag, _RULES, counts)
        else:
            own = by_tag[words.tag]
            now = own.copy()
            for flag, one, other, then in _RULES.tolist():
                now[words.has(flag) & ((own == one) | (own == other) | (one == -1))] = then
            counts = np.bincount(words.text_of * len(CLASSES) + now, minlength=len(self) * len(CLASSES))
        shares: NDArray[np.float64] = counts.reshape(len(self), len(CLASSES)) / np.maximum(self.total, 1)[:, None]
        return shares

    def share(self, name: str) -> NDArray[np.float64]:
        """The share of a class of tags in each block's tokens."""
        return self.shares[:, _NUMBER[name]]

    @cached_property
    def patterns(self) -> Patterns:
        """Which blocks have the paper's runs of tags."""
        return patterns(self.analysis)

    @cached_property
    def names(self) -> dict[str, Counts]:
        """How many names of each kind begin in each block."""
        label = self.analysis.label
        if loops is not None:
            counts = np.zeros((len(KINDS), len(self)), np.int64)
            loops.names_begun(label, self.analysis.text_of, OUTSIDE, counts)
            return dict(zip(KINDS, counts, strict=True))
        before = np.concatenate(([LABELS.index("O")], label[:-1])) if len(label) else label
        found = {}
        for kind in KINDS:
            begin, inside = LABELS.index(f"B-{kind}"), LABELS.index(f"I-{kind}")
            goes_on = (before == begin) | (before == inside)
            found[kind] = self.analysis.count((label == begin) | ((label == inside) & ~goes_on))
        return found

    @cached_property
    def moments(self) -> dict[int, list[Moment]]:
        """The dates and times of the blocks that have any."""
        in_words = self.has(Flag.SPOKEN)
        may_have = np.flatnonzero(in_words | self.has(Flag.NUMBER)).tolist()
        found = {block: find_moments(self.texts[block], in_words=bool(in_words[block])) for block in may_have}
        return {block: moments for block, moments in found.items() if moments}

    def count_moments(self, kind: Literal["date", "time"]) -> Counts:
        """How many dates, or times, each block has."""
        found = np.zeros(len(self), np.int64)
        for block, moments in self.moments.items():
            found[block] = [moment.kind for moment in moments].count(kind)
        return found

    @cached_property
    def links(self) -> "Links":
        """The links of the blocks."""
        return Links.of(self.page, self.division)


@cache
def _by_tag(tag_names: tuple[str, ...]) -> Counts:
    """The class of each tag."""
    return np.array([_NUMBER[_BY_TAG.get(tag, "")] for tag in tag_names], np.int64)


@lru_cache(maxsize=20_000)
def _leads_to(href: str) -> tuple[bool, bool]:
    """Return whether an address is one of mail, and whether it is an image's.

    >>> _leads_to("MAILTO:a@b.example"), _leads_to("/a.JPG?size=2"), _leads_to("/a?b=c.png")
    ((True, False), (False, True), (False, False))
    """
    low = href.lower()
    return "mailto:" in low, low.partition("?")[0].partition("#")[0].endswith(IMAGE_ENDS)


@dataclass(frozen=True, slots=True)
class Links:
    """Every link once for each block that holds a leaf of it."""

    block: NDArray[np.int64]
    is_email: Bools
    is_image: Bools  # it shows an image and no text
    to_image: Bools  # it points to an image
    count: int

    @classmethod
    def of(cls, page: Page, division: Division) -> "Links":
        """The links of a divided page."""
        leaves, rows = page.leaves, page.nodes.link[page.leaves.node]
        block_of = np.repeat(np.arange(len(division)), np.diff(np.append(division.first, division.leaf_count)))
        if loops is not None:
            return cls._leading(page, len(division), *loops.links(rows, block_of, leaves.kind))
        linked, size = np.flatnonzero(rows >= 0), len(page.nodes) + 1
        pairs, at = np.unique(block_of[linked] * size + rows[linked], return_inverse=True)
        kinds = [leaves.kind[leaf] for leaf in linked.tolist()]
        texts, images = (
            np.bincount(at[np.array([of == kind for of in kinds], np.bool_)], minlength=len(pairs))
            for kind in ("text", "img")
        )
        is_image = (images > 0) & (texts == 0)
        return cls._leading(page, len(division), (pairs // size).tolist(), (pairs % size).tolist(), is_image.tolist())

    @classmethod
    def _leading(cls, page: Page, count: int, blocks: list[int], rows: list[int], is_image: list[bool]) -> "Links":
        """Return the links of blocks with what their addresses point to."""
        attributes = page.nodes.attributes
        leads_to = [_leads_to(attributes[row].get("href", "")) for row in rows]
        is_email, to_image = np.array(leads_to, np.bool_).reshape(-1, 2).T
        return cls(np.array(blocks, np.int64), is_email, np.array(is_image, np.bool_), to_image, count)

    def total(self, is_counted: Any = None) -> Counts:
        """How many links, or such links, each block has."""
        return np.bincount(self.block if is_counted is None else self.block[is_counted], minlength=self.count)
