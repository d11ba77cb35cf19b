"""Features of a link before it is fetched, as the link model reads them and as the queue stores them.

Dense numbers are the topic log-odds of the link's words. Hashed marks stand for the words, the shape of the address and
the position, so that a crawl learns their meaning on this site. The outcomes of other links (of its group, page and
folder) are not part of a row, since they change while the row waits.
"""

import base64
import struct
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from typing import Any

import xxhash

from parcels.topics.links import addresses
from parcels.topics.links.addresses import address_shape, address_words, read_address
from parcels.topics.links.places import LinkPlace

BUCKETS = 1 << 15  # of hashed marks
DENSE = ("anchor", "address", "heading", "around", "source", "density")
STEP = 1 / 16  # resolution of stored dense numbers, so that a queued row is short
MOST = 127 * STEP
MAX_MARKS = 60
MAX_WORDS = 12  # marks per kind of word
MOST_KNOWN = 100_000  # cached entries per kind
SIGN = "."  # prefix of a row in base 64; older crawls queued rows in base 85, which is slow to decode
_HEAD = struct.Struct(f"<{len(DENSE)}b3I")  # dense numbers in steps, keys
_HEAD_SIZE = _HEAD.size
_MARKS = [struct.Struct(f"<{count}H") for count in range(MAX_MARKS + 1)]

Keys = tuple[int, int, int]  # of the link's group, page and folder


class LinkRow:
    """The features of one link."""

    __slots__ = ("dense", "keys", "marks")

    def __init__(self, dense: tuple[float, ...], keys: Keys, marks: tuple[int, ...]) -> None:
        self.dense, self.keys, self.marks = dense, keys, marks  # dense numbers are in the order of DENSE

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LinkRow):
            return NotImplemented
        return self.dense == other.dense and self.keys == other.keys and self.marks == other.marks

    def __repr__(self) -> str:
        return f"LinkRow({self.dense!r}, {self.keys!r}, {self.marks!r})"

    def to_text(self) -> str:
        """Return the row as the queue stores it."""
        steps = [round(min(max(value, -MOST), MOST) / STEP) for value in self.dense]
        data = _HEAD.pack(*steps, *self.keys) + _MARKS[len(self.marks)].pack(*self.marks)
        return SIGN + b2a_base64(data, newline=False).decode()

    @classmethod
    def from_text(cls, text: str) -> "LinkRow":
        """Parse a stored row; raises ValueError for any other text."""
        data: bytes = a2b_base64(text[1:], strict_mode=True) if text[:1] == SIGN else base64.b85decode(text)
        count, rest = divmod(len(data) - _HEAD_SIZE, 2)
        if not 0 <= count <= MAX_MARKS or rest:
            raise ValueError("this is not the row of a link")
        one, two, three, four, five, six, group, page, folder = _HEAD.unpack_from(data)
        marks: tuple[int, ...] = _MARKS[count].unpack_from(data, _HEAD_SIZE)
        if highest(marks) >= BUCKETS:
            raise ValueError("this is not the row of a link: it has marks that there are not")
        step = STEP
        dense = (one * step, two * step, three * step, four * step, five * step, six * step)
        return cls(dense, (group, page, folder), marks)


def highest(marks: tuple[int, ...]) -> int:
    """Return the highest of the marks, or 0 without marks."""
    highest_mark = 0
    for one in marks:
        if one > highest_mark:
            highest_mark = one
    return highest_mark


def mark(text: str) -> int:
    """Return the bucket of a mark.

    >>> 0 <= mark("area=left") < BUCKETS
    True
    """
    return xxhash.xxh32_intdigest(text.encode()) % BUCKETS


def key(text: str) -> int:
    """Return the 32-bit key of a group, page or folder; a collision only merges their outcomes."""
    return xxhash.xxh32_intdigest(text.encode())


class LinkReader:
    """Computes the rows of links for one topic; `odds` are the topic log-odds of each term.

    Folders, menus and headings that pages share are cached.
    """

    def __init__(self, odds: dict[str, float]) -> None:
        self.odds = odds
        # By words or address: topic log-odds, marks, and for an address its folder and parts.
        self.anchors: dict[tuple[str, ...], tuple[Any, ...]] = {}
        self.headings: dict[tuple[str, ...], tuple[Any, ...]] = {}
        self.addresses: dict[str, tuple[Any, ...]] = {}
        self.around: dict[str, tuple[float, int]] = {}
        self.marks: dict[str, int] = {}
        self.shapes: dict[tuple[str, ...], tuple[int, ...]] = {}
        self.where: dict[tuple[str, str | None, int | None], tuple[int, ...]] = {}
        self.looks: dict[tuple[int, int, int, int], tuple[int, ...]] = {}

    def rows(self, places: Sequence[LinkPlace], source: str, source_odds: float) -> list[LinkRow]:
        """Return the rows of a page's links; `source_odds` are the log-odds that the page itself is on topic."""
        groups: dict[int, int] = {}
        page, own = key(source), self.address(source)[3]
        link_rows = []
        for place in places:
            group = groups.get(place.group)
            if group is None:
                group = groups[place.group] = key(f"{source} {place.group}")
            anchor, address = self.anchor(place.anchor_terms), self.address(place.target)
            heading = self.heading(place.heading)
            shape = self.shaped(addresses.shape_beside(address[3], own))
            marks: dict[int, None] = {}
            for kind in (self.placed(place, source_odds), shape, anchor[1], address[1], heading[1]):
                for one in kind:
                    marks[one] = None
            around_odds, left = 0.0, MAX_WORDS
            for word in place.around:
                around = self.said_around(word)
                around_odds += around[0]
                if left > 0:
                    marks[around[1]] = None
                    left -= 1
            dense = (
                anchor[0], address[0], heading[0], min(max(around_odds, -MOST), MOST), source_odds,
                2 * place.group_density - 1,
            )  # fmt: skip
            all_marks = tuple(marks)
            if len(all_marks) > MAX_MARKS:
                all_marks = all_marks[:MAX_MARKS]
            link_rows.append(LinkRow(dense, (group, page, address[2]), all_marks))
        return link_rows

    def spoken(self, words: tuple[str, ...]) -> float:
        """Return the sum of the words' topic log-odds, clipped."""
        total = 0.0
        for word in words:
            total += self.odds.get(word, 0.0)
        return min(max(total, -MOST), MOST)

    def anchor(self, words: tuple[str, ...]) -> tuple[Any, ...]:
        """Return the topic log-odds of an anchor, and its marks."""
        known = self.anchors.get(words)
        if known is None:
            known = self.spoken(words), tuple([self.marked(f"a:{word}") for word in words[:MAX_WORDS]])
            keep(self.anchors, words, known)
        return known

    def heading(self, words: tuple[str, ...]) -> tuple[Any, ...]:
        """Return the topic log-odds of a heading, and its marks."""
        known = self.headings.get(words)
        if known is None:
            known = self.spoken(words), tuple([self.marked(f"h:{word}") for word in words[:MAX_WORDS]])
            keep(self.headings, words, known)
        return known

    def address(self, url: str) -> tuple[Any, ...]:
        """Return the topic log-odds of an address's words, their marks, the key of its folder, and its parts."""
        known = self.addresses.get(url)
        if known is None:
            read = read_address(url)
            marks = tuple([self.marked(f"u:{word}") for word in read.words[:MAX_WORDS]])
            known = self.spoken(read.words), marks, key(read.place), read
            keep(self.addresses, url, known)
        return known

    def marked(self, name: str) -> int:
        """Return the mark of a name."""
        known = self.marks.get(name)
        if known is None:
            known = mark(name)
            keep(self.marks, name, known)
        return known

    def said_around(self, word: str) -> tuple[float, int]:
        """Return the topic log-odds of a word beside a link, and its mark."""
        found = self.around.get(word)
        if found is None:
            found = self.odds.get(word, 0.0), mark(f"t:{word}")
            keep(self.around, word, found)
        return found

    def shaped(self, shape: tuple[str, ...]) -> tuple[int, ...]:
        """Return the marks of an address's shape."""
        known = self.shapes.get(shape)
        if known is None:
            known = self.shapes[shape] = tuple([mark(f"shape={name}") for name in shape])
        return known

    def placed(self, place: LinkPlace, source_odds: float) -> tuple[int, ...]:
        """Return the marks of a link's position."""
        where = (place.item, place.area, place.height)
        look = look_of(place, source_odds)
        of_where, of_look = self.where.get(where), self.looks.get(look)
        if of_where is None or of_look is None:
            names = place_names(place, source_odds)
            of_where = self.where[where] = tuple(map(mark, names[:4]))
            of_look = self.looks[look] = tuple(map(mark, names[4:]))
        return of_where + of_look


def keep(known: dict[Any, Any], name: Any, value: Any) -> None:
    """Cache a value; a full cache is cleared first."""
    if len(known) >= MOST_KNOWN:
        known.clear()
    known[name] = value


def look_of(place: LinkPlace, source_odds: float) -> tuple[int, int, int, int]:
    """Return group size, link density, source log-odds and anchor length, each in a few steps."""
    return (
        min(place.group_count, 64).bit_length(), int(4 * place.group_density), max(min(int(source_odds), 6), -6),
        min(len(place.anchor_terms), 5),
    )  # fmt: skip


def place_names(place: LinkPlace, source_odds: float) -> list[str]:
    """Return the names of a position's marks: four for where the link is, four for what surrounds it."""
    group, dense, source, anchors = look_of(place, source_odds)
    return [
        f"item={place.item}", f"area={place.area}", f"height={place.height}", f"area={place.area} item={place.item}",
        f"group={group}", f"dense={dense}", f"source={source}", f"anchors={anchors}",
    ]  # fmt: skip


def mark_names(place: LinkPlace, source: str, source_odds: float) -> list[str]:
    """Return the names of all marks: position, shape of the address, and words by where they occur."""
    names = place_names(place, source_odds)
    names += [f"shape={shape}" for shape in address_shape(place.target, source)]
    for kind, words in (("a", place.anchor_terms), ("u", address_words(place.target)), ("h", place.heading),
                        ("t", place.around)):  # fmt: skip
        names += [f"{kind}:{word}" for word in words[:MAX_WORDS]]
    return names
