"""Gold from marked pages (`data-block`, `data-block-type`): the block of each leaf, at two levels."""

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
    """The block of each leaf of a page, OUTSIDE for leaves in no block or without words."""

    top: Ints  # level 1: blocks marked "1" only
    nearest: Ints  # level 2: the nearest mark of either level
    contents: tuple[Ints, ...]  # leaves of each block of type Content or Article, at either level
    every_top: Ints  # level 1 including leaves without words; each run of leaves outside all blocks has its own number
    every_nearest: Ints

    def of_level(self, level: int) -> Ints:
        """Return the blocks of a level."""
        return self.top if level == 1 else self.nearest

    def every_of_level(self, level: int) -> Ints:
        """Return the blocks of a level, including leaves that are not scored."""
        return self.every_top if level == 1 else self.every_nearest

    def contents_of_level(self, level: int) -> list[Ints]:
        """Return the leaves of each block of type Content or Article that is exactly one block of this level."""
        blocks = self.of_level(level)
        return [leaves for leaves in self.contents if _is_whole(blocks, leaves)]

    def informative_of_level(self, level: int) -> Ints:
        """Return the leaves of the only block of type Content or Article at this level, if there is exactly one."""
        contents = self.contents_of_level(level)
        return contents[0] if len(contents) == 1 else np.zeros(0, np.int32)

    def sole_of_level(self, level: int) -> Ints:
        """Return the leaves of the informative block if the page has no further one at either level."""
        return self.informative_of_level(level) if len(self.contents) == 1 else np.zeros(0, np.int32)

    def is_scored(self, level: int) -> bool:
        """Return whether the level has at least two blocks."""
        blocks = self.of_level(level)
        return len(np.unique(blocks[blocks != OUTSIDE])) > 1


def _is_whole(blocks: Ints, leaves: Ints) -> bool:
    own = np.unique(blocks[leaves])
    return len(own) == 1 and own[0] != OUTSIDE and int((blocks == own[0]).sum()) == len(leaves)


def squeezed(text: str) -> str:
    """Return the letters and digits of a text, the key by which leaves of two versions of a page are matched.

    >>> squeezed(" Pier - burnt! ")
    'pierburnt'
    """
    return _WORDLESS.sub("", text).lower()[:60]


def gold_of(page: Page, marked_html: bytes) -> Gold:
    """Return the gold of a page from its marked version; where the two differ they are matched by text."""
    twin = read_page(marked_html, name=page.name)
    top, nearest, contents = _marks(twin)
    if nearest.max(initial=OUTSIDE) == OUTSIDE:
        raise InputMissing(f"{page.name} has no element with data-block")
    words = [squeezed(text) if kind == "text" else "" for kind, text in _leaves(page)]
    at = _matched(words, [squeezed(text) if kind == "text" else "" for kind, text in _leaves(twin)])
    is_scored = (at >= 0) & np.array([bool(word) for word in words], np.bool_)
    every_top, every_nearest = (np.where(at >= 0, marks[at], OUTSIDE).astype(np.int32) for marks in (top, nearest))
    return Gold(
        top=np.where(is_scored, every_top, OUTSIDE).astype(np.int32),
        nearest=np.where(is_scored, every_nearest, OUTSIDE).astype(np.int32),
        contents=tuple(np.flatnonzero(np.isin(at, own) & is_scored).astype(np.int32) for own in contents),
        every_top=_numbered_outside(every_top, len(twin.nodes)),
        every_nearest=_numbered_outside(every_nearest, len(twin.nodes)),
    )


def _numbered_outside(blocks: Ints, first: int) -> Ints:
    """Return the blocks with each run of leaves outside all blocks as a block, numbered from `first` on."""
    is_outside = blocks == OUTSIDE
    begins = is_outside & ~np.concatenate(([False], is_outside[:-1]))
    return np.where(is_outside, first + np.cumsum(begins), blocks).astype(np.int32)


def _leaves(page: Page) -> "zip[tuple[str, str]]":
    return zip(page.leaves.kind, page.leaves.text, strict=True)


def _marks(twin: Page) -> tuple[Ints, Ints, list[range]]:
    """Return the top block and the nearest block of each leaf, and the leaves of each block of an informative type."""
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
    """Return for each leaf its number in the other version of the page, -1 where it is missing."""
    if words == others:
        return np.arange(len(words), dtype=np.int32)
    places = np.full(len(words), -1, np.int32)
    for i, j, size in difflib.SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks():
        places[i : i + size] = range(j, j + size)
    return places
