"""Links as numbers: what is known of a link before it is fetched, as a learner reads it and as a queue keeps it.

Dense numbers say how much the words of the link speak for the topic; hashed marks are the words, the shape of the
address and the place themselves, so that a crawl learns what they mean on this site. What has come of other links (of
its group, its page, its folder) is not part of a row: it changes while the row waits.
"""

import base64
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import xxhash
from numpy.typing import NDArray

from parcels.learn.words import Floats
from parcels.topics.addresses import address_shape, address_words, place_of
from parcels.topics.link_places import LinkPlace
from parcels.topics.mixture import LayoutMixture

BUCKETS = 1 << 15  # of hashed marks
DENSE = ("anchor", "address", "heading", "around", "source", "density")
STEP = 1 / 16  # what dense numbers are rounded to, so that a queued row is short
MOST = 127 * STEP
MAX_MARKS = 60
_HEAD = struct.Struct(f"<{len(DENSE)}b3I")  # dense numbers in steps, keys

Marks = NDArray[np.uint16]
Keys = tuple[int, int, int]  # of the group, the page and the folder that a link belongs to


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link."""

    dense: tuple[float, ...]  # in the order of DENSE
    keys: Keys
    marks: Marks

    def to_text(self) -> str:
        """The row as a queue keeps it."""
        steps = [round(min(max(value, -MOST), MOST) / STEP) for value in self.dense]
        return base64.b85encode(_HEAD.pack(*steps, *self.keys) + self.marks.astype("<u2").tobytes()).decode()

    @classmethod
    def from_text(cls, text: str) -> "LinkRow":
        """The row again; ValueError where the text is none."""
        data = base64.b85decode(text)
        if len(data) < _HEAD.size or (len(data) - _HEAD.size) % 2 or len(data) > _HEAD.size + 2 * MAX_MARKS:
            raise ValueError("this is not the row of a link")
        *steps, group, page, folder = _HEAD.unpack_from(data)
        marks = np.frombuffer(data, "<u2", offset=_HEAD.size).astype(np.uint16) % BUCKETS
        return cls(tuple(step * STEP for step in steps), (group, page, folder), marks)


@lru_cache(maxsize=100_000)
def mark(text: str) -> int:
    """The bucket of a mark.

    >>> 0 <= mark("area=left") < BUCKETS
    True
    """
    return xxhash.xxh32_intdigest(text.encode()) % BUCKETS


@lru_cache(maxsize=100_000)
def key(text: str) -> int:
    """32 bits that stand for a group, page or folder; two that share them share what has come of them, no more."""
    return xxhash.xxh32_intdigest(text.encode())


def link_rows_of(
    places: Sequence[LinkPlace], *, source: str, source_odds: float, mixture: LayoutMixture, topic: str
) -> list[LinkRow]:
    """The rows of a page's links; `source_odds` is the logarithm of the odds that the page itself is on topic."""
    if not places:
        return []
    texts: list[Sequence[str]] = []
    for place in places:
        texts += (place.anchor_terms, address_words(place.target), place.heading, place.around)
    odds = [min(max(found, -MOST), MOST) for found in mixture.text_log_odds(texts, topic)]
    page = key(source)
    return [
        LinkRow(
            (*odds[4 * n : 4 * n + 4], source_odds, 2 * place.group_density - 1),
            (key(f"{source} {place.group}"), page, key(place_of(place.target))),
            np.array(marks_of(place, source, source_odds), np.uint16),
        )
        for n, place in enumerate(places)
    ]


def marks_of(place: LinkPlace, source: str, source_odds: float) -> list[int]:
    """The hashed marks of a link."""
    return list(dict.fromkeys(map(mark, mark_names(place, source, source_odds))))[:MAX_MARKS]


def mark_names(place: LinkPlace, source: str, source_odds: float) -> list[str]:
    """The marks by name: place, shape of the address, and words, each with where it stands."""
    names = [
        f"item={place.item}", f"area={place.area}", f"height={place.height}", f"area={place.area} item={place.item}",
        f"group={min(place.group_count, 64).bit_length()}", f"dense={int(4 * place.group_density)}",
        f"source={max(min(int(source_odds), 6), -6)}", f"anchors={min(len(place.anchor_terms), 5)}",
    ]  # fmt: skip
    names += [f"shape={shape}" for shape in address_shape(place.target, source)]
    for kind, words in (("a", place.anchor_terms), ("u", address_words(place.target)), ("h", place.heading),
                        ("t", place.around)):  # fmt: skip
        names += [f"{kind}:{word}" for word in words[:12]]
    return names


def stacked(rows: Sequence[LinkRow]) -> tuple[Floats, Marks, NDArray[np.int64]]:
    """Rows as arrays: dense numbers, all marks, and where each row's marks begin."""
    dense = np.array([row.dense for row in rows], np.float64).reshape(len(rows), len(DENSE))
    starts = np.concatenate([[0], np.cumsum([len(row.marks) for row in rows])]).astype(np.int64)
    marks = np.concatenate([row.marks for row in rows]) if rows else np.zeros(0, np.uint16)
    return dense, marks, starts
