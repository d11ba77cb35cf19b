"""Pages with marked blocks (`data-block`, `data-block-type`) as gold: which leaf is in which block, at two levels."""

import difflib
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.errors import InputMissing
from parcels.html.page import Page, read_page

Ints = NDArray[np.int32]
OUTSIDE = -1
LEVELS = (1, 2)
INFORMATIVE = frozenset(["Content", "Article"])
_WORDLESS = re.compile(r"\W+")


@dataclass(frozen=True)
class Gold:
    """Of each leaf of a page: the block around it, OUTSIDE where it is in none or says nothing to score by."""

    top: Ints  # level 1: blocks marked "1" only
    nearest: Ints  # level 2: the nearest mark of either level
    contents: tuple[Ints, ...]  # leaves of each block of type Content or Article, at either level
    every_top: Ints  # level 1 for leaves without words too; runs of leaves outside all blocks have numbers of their own
    every_nearest: Ints

    def of_level(self, level: int) -> Ints:
        """The blocks of a level."""
        return self.top if level == 1 else self.nearest

    def every_of_level(self, level: int) -> Ints:
        """The blocks of a level, of leaves that are not scored too."""
        return self.every_top if level == 1 else self.every_nearest

    def contents_of_level(self, level: int) -> list[Ints]:
        """The leaves of each block of type Content or Article that is a block of this level: not those that the level's
        gold cuts further, or has as parts of others."""
        blocks = self.of_level(level)
        return [leaves for leaves in self.contents if _is_whole(blocks, leaves)]

    def informative_of_level(self, level: int) -> Ints:
        """The leaves of the informative block: the only one of type Content or Article among the level's blocks; none
        where there are several, or none."""
        found = self.contents_of_level(level)
        return found[0] if len(found) == 1 else np.zeros(0, np.int32)

    def sole_of_level(self, level: int) -> Ints:
        """The leaves of the informative block where the page has no other of its types at either level."""
        return self.informative_of_level(level) if len(self.contents) == 1 else np.zeros(0, np.int32)

    def is_scored(self, level: int) -> bool:
        """True where there are two blocks or more to tell apart."""
        blocks = self.of_level(level)
        return len(np.unique(blocks[blocks != OUTSIDE])) > 1


def _is_whole(blocks: Ints, leaves: Ints) -> bool:
    own = np.unique(blocks[leaves])
    return len(own) == 1 and own[0] != OUTSIDE and int((blocks == own[0]).sum()) == len(leaves)


def squeezed(text: str) -> str:
    """The letters and digits of a text, by which leaves of two readings of a page are matched.

    >>> squeezed(" Pier - burnt! ")
    'pierburnt'
    """
    return _WORDLESS.sub("", text).lower()[:60]


def gold_of(page: Page, marked_html: bytes) -> Gold:
    """The gold of a page from its marked twin; the two are matched by their texts where they differ."""
    twin = read_page(marked_html, name=page.name)
    top, nearest, contents = _marks(twin)
    if nearest.max(initial=OUTSIDE) == OUTSIDE:
        raise InputMissing(f"{page.name} has no element with data-block")
    words = [squeezed(text) if kind == "text" else "" for kind, text in _leaves(page)]
    at = _matched(words, [squeezed(text) if kind == "text" else "" for kind, text in _leaves(twin)])
    is_told = (at >= 0) & np.array([bool(word) for word in words], np.bool_)
    every_top, every_nearest = (np.where(at >= 0, marks[at], OUTSIDE).astype(np.int32) for marks in (top, nearest))
    return Gold(
        top=np.where(is_told, every_top, OUTSIDE).astype(np.int32),
        nearest=np.where(is_told, every_nearest, OUTSIDE).astype(np.int32),
        contents=tuple(np.flatnonzero(np.isin(at, own) & is_told).astype(np.int32) for own in contents),
        every_top=_numbered_outside(every_top, len(twin.nodes)),
        every_nearest=_numbered_outside(every_nearest, len(twin.nodes)),
    )


def _numbered_outside(blocks: Ints, first: int) -> Ints:
    """Each run of leaves outside all blocks as a block of its own, numbered from `first` on."""
    is_outside = blocks == OUTSIDE
    begins = is_outside & ~np.concatenate(([False], is_outside[:-1]))
    return np.where(is_outside, first + np.cumsum(begins), blocks).astype(np.int32)


def _leaves(page: Page) -> "zip[tuple[str, str]]":
    return zip(page.leaves.kind, page.leaves.text, strict=True)


def _marks(twin: Page) -> tuple[Ints, Ints, list[range]]:
    """The top block and the nearest block of each leaf, and the leaves of each block of an informative type."""
    nodes = twin.nodes
    top, nearest = (np.full(len(twin.leaves), OUTSIDE, np.int32) for _ in LEVELS)
    contents: list[range] = []
    for row, given in enumerate(nodes.attributes):
        mark = given.get("data-block")
        if mark is None:
            continue
        inside = slice(int(nodes.first_leaf[row]), int(nodes.end_leaf[row]))
        nearest[inside] = row
        if mark == "1":
            top[inside] = row
        if given.get("data-block-type") in INFORMATIVE and inside.start < inside.stop:
            contents.append(range(inside.start, inside.stop))
    return top, nearest, contents


def _matched(words: list[str], others: list[str]) -> Ints:
    """For each leaf the place of the same leaf in the other reading, -1 where there is none."""
    if words == others:
        return np.arange(len(words), dtype=np.int32)
    found = np.full(len(words), -1, np.int32)
    for i, j, size in difflib.SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks():
        found[i : i + size] = range(j, j + size)
    return found
