"""Pieces of an article as Markdown (CommonMark with GitHub's tables): nested lists, quotations, code, images."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from parcels.articles.body.data_tables import Slot, slots
from parcels.articles.body.include import Include
from parcels.articles.body.inline import STRONG, Inline, escaped, escaped_start, target
from parcels.articles.body.parts import Parts
from parcels.articles.body.pieces import Piece, caption_of
from parcels.articles.fields.facts import Image

MAX_NESTING = 8  # lists and quotations around a piece; deeper levels are ignored
LONGEST_REPEATED = 200  # characters of a cell up to which it is repeated in the rows and columns it spans
_LISTS = frozenset(["ul", "ol", "menu", "dir"])
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([A-Za-z][\w+#.-]*)"
)
_NO_LANGUAGE = frozenset(["default", "none", "nohighlight", "plaintext", "text"])


class _Level(NamedTuple):
    """A quotation or list entry around a piece."""

    row: int  # of the element
    group: int  # row of the list, -1 for a quotation


class _Block(NamedTuple):
    """The lines of one piece and the levels around it."""

    levels: tuple[_Level, ...]
    lines: list[str]
    is_plain: bool  # a paragraph of one line


def as_markdown(
    parts: Parts, pieces: Sequence[Piece], images: Sequence[Image], include: Include, base: str | None
) -> str:
    """Return the pieces and images as Markdown, in page order.

    >>> import numpy as np
    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.articles.body.pieces import pieces_of
    >>> from parcels.html.page import read_page
    >>> html = "<h2>Fire</h2><ol start=3><li>a<ul><li>b</ul><li>c</ol><blockquote><p>d</blockquote>"
    >>> parts = parts_of(read_page(html))
    >>> print(as_markdown(parts, pieces_of(parts, np.ones(len(parts), bool)), [], Include(), None))
    ## Fire
    <BLANKLINE>
    3. a
       - b
    4. c
    <BLANKLINE>
    > d
    """
    writer = _Writer(parts, include, base)
    shown = images if include.images else ()
    captions = [(image.caption_first, image.caption_end) for image in shown if image.caption]
    placed: list[tuple[int, Piece | Image]] = [(image.leaf, image) for image in shown]
    for piece in pieces:
        if not any(first <= piece.first and piece.end <= end for first, end in captions):
            placed.append((piece.first, piece))
    placed.sort(key=lambda one: one[0])  # stable, so texts from data (all at 0) keep their order
    return "\n".join(writer.nested([block for _, one in placed if (block := writer.block(one)).lines]))


class _Writer:
    """Writes the pieces of one page as Markdown."""

    def __init__(self, parts: Parts, include: Include, base: str | None):
        self.parts, self.nodes, self.base = parts, parts.page.nodes, base
        self.inline = Inline(parts.page, base, has_links=include.links)
        self._levels: dict[int, tuple[_Level, ...]] = {-1: ()}
        self._markers: dict[int, dict[int, str]] = {}  # list -> entry -> marker

    def block(self, piece: Piece | Image) -> _Block:
        """Return a piece as lines, with the levels around it."""
        if isinstance(piece, Image):
            lines = [f"![{_bracketed(piece.alt)}]({target(piece.url, None)})"]
            return _Block(
                self.levels(piece.row), lines + (["", f"*{escaped(piece.caption)}*"] if piece.caption else []), False
            )
        levels = self.levels(piece.row)
        if piece.kind == "code":
            return _Block(levels, _fenced(piece.text, self._language(piece.row)), False)
        if piece.kind == "table":
            return _Block(levels, self._table(piece.row), False)
        if piece.row < 0:
            return _Block(levels, [escaped_start(escaped(piece.text))], True)
        if piece.kind == "heading":
            text = self.inline.text(piece.first, piece.end, without=STRONG)
            return _Block(levels, [f"{'#' * piece.level} {text}"] if text else [], False)
        is_term = self._is_term(piece.row)
        text = self.inline.text(piece.first, piece.end, without=STRONG if is_term else 0)
        line = f"**{text}**" if is_term and text else escaped_start(text)
        return _Block(levels, [line] if line else [], True)

    def levels(self, row: int) -> tuple[_Level, ...]:
        """Return the quotations and list entries around an element, the outermost first."""
        climbed, nodes = [], self.nodes
        while row not in self._levels:
            climbed.append(row)
            row = int(nodes.parent[row])
        levels = self._levels[row]
        for inner in reversed(climbed):
            tag = nodes.tags[inner]
            if tag in ("li", "blockquote") and len(levels) < MAX_NESTING:
                levels = (*levels, _Level(inner, int(nodes.parent[inner]) if tag == "li" else -1))
            self._levels[inner] = levels
        return levels

    def nested(self, blocks: list[_Block]) -> list[str]:
        """Return the lines of all blocks, with the prefixes of their levels."""
        shared = _shared([block.levels for block in blocks]) if len(blocks) > 1 else 0
        lines: list[str] = []
        before: tuple[_Level, ...] = ()
        was_plain = False
        for levels, own, is_plain in blocks:
            levels = levels[shared:]
            same = _shared([before, levels])
            if lines and not (was_plain and is_plain and _is_tight(before, levels, same)):
                lines.append(self._margin(levels[:same], opened=same).rstrip())
            lines.append(self._margin(levels, opened=same) + own[0])
            margin = self._margin(levels, opened=len(levels))
            lines += [(margin + line).rstrip() if not line else margin + line for line in own[1:]]
            before, was_plain = levels, is_plain
        return lines

    def _margin(self, levels: tuple[_Level, ...], *, opened: int) -> str:
        """Return the marks before a line: the first `opened` levels continue, the others begin here."""
        signs = []
        for at, level in enumerate(levels):
            if level.group < 0:
                signs.append("> ")
            else:
                marker = self._marker(level)
                signs.append(" " * len(marker) if at < opened else marker)
        return "".join(signs)

    def _marker(self, level: _Level) -> str:
        """Return the marker of a list entry: in an ordered list the number that the page shows."""
        markers = self._markers.get(level.group)
        if markers is None:
            nodes, markers, number = self.nodes, {}, 1
            is_ordered = nodes.tags[level.group] == "ol"
            number = _number(nodes.attributes[level.group].get("start"), 1)
            row, last = level.group + 1, int(nodes.last[level.group])
            while row <= last:
                if nodes.tags[row] == "li":
                    number = _number(nodes.attributes[row].get("value"), number)
                    markers[row] = f"{number}. " if is_ordered else "- "
                    number += 1
                row = int(nodes.last[row]) + 1
            self._markers[level.group] = markers
        return markers.get(level.row, "- ")

    def _is_term(self, row: int) -> bool:
        """Return whether an element is inside a `dt`."""
        return self.nodes.tags[row] == "dt" or (row > 0 and self.nodes.tags[self.nodes.parent[row]] == "dt")

    def _language(self, row: int) -> str:
        """Return the programming language named by a class of a `pre`, of its `code` or of its parent."""
        nodes = self.nodes
        inside = [row + 1] if row < nodes.last[row] and nodes.tags[row + 1] == "code" else []
        above = int(nodes.parent[row])
        for one in [*inside, row, above, int(nodes.parent[above])]:
            given = nodes.attributes[one] if one >= 0 else {}
            match = _LANGUAGE.search(given.get("class", "")[:200])
            name = given.get("data-lang") or given.get("data-language") or (match[1] if match else "")
            if name and re.fullmatch(r"[\w+#.-]{1,20}", name) and name.lower() not in _NO_LANGUAGE:
                return name.lower()
        return ""

    def _table(self, table: int) -> list[str]:
        nodes, rows = self.nodes, slots(self.nodes, table)
        texts: dict[int, str] = {}
        for line in rows:
            for slot in line:
                if slot and slot[0] not in texts:
                    texts[slot[0]] = self._cell(slot[0])
        cells = [_written(line, texts) for line in rows]
        if not _has_header(nodes.tags, rows):
            cells.insert(0, [""] * len(rows[0]))
        cells.insert(1, ["---"] * len(cells[0]))
        lines = ["| " + " | ".join(line) + " |" for line in cells]
        caption = caption_of(self.parts, table)
        if caption >= 0:
            lines[:0] = [self.inline.text(int(nodes.first_leaf[caption]), int(nodes.end_leaf[caption])), ""]
        return lines

    def _cell(self, row: int) -> str:
        """Return the text of a cell, or its images where it has no text."""
        nodes, leaves = self.nodes, self.parts.page.leaves
        first, end = int(nodes.first_leaf[row]), int(nodes.end_leaf[row])
        text = self.inline.text(first, end)
        if not text:
            text = escaped(" ".join(leaves.text[leaf] for leaf in range(first, end) if leaves.kind[leaf] == "img"))
        return text.strip().replace("|", "\\|")


def _shared(paths: Sequence[tuple[_Level, ...]]) -> int:
    """Return the number of levels that all paths share at the start."""
    first = min(paths, default=())
    last = max(paths, default=())
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return same


def _is_tight(before: tuple[_Level, ...], levels: tuple[_Level, ...], same: int) -> bool:
    """Return whether an entry follows another of its own or a nested list, so that no blank line separates them."""
    if same == len(levels) or levels[same].group < 0:
        return False
    return same == len(before) > 0 or (same < len(before) and before[same].group == levels[same].group)


def _has_header(tags: Sequence[str], rows: list[list[Slot]]) -> bool:
    """Return whether the first row is the header: all cells are `th`, or the table has no `th`."""
    first = [tags[slot[0]] for slot in rows[0] if slot]
    return all(tag == "th" for tag in first) or not any(
        slot and tags[slot[0]] == "th" for line in rows for slot in line
    )


def _written(line: list[Slot], texts: dict[int, str]) -> list[str]:
    """Return the cells of a row; a short cell is repeated where it spans, unless it spans the whole row."""
    is_one = len({slot[0] for slot in line if slot}) == 1 and None not in line
    cells = []
    for slot in line:
        text = texts[slot[0]] if slot else ""
        is_repeated = slot is not None and not slot[1]
        cells.append("" if is_repeated and (is_one or len(text) > LONGEST_REPEATED) else text)
    return cells


def _fenced(text: str, language: str) -> list[str]:
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return [fence + language, *text.split("\n"), fence]


def _number(given: str | None, default: int) -> int:
    text = (given or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default


def _bracketed(text: str) -> str:
    return re.sub(r"[\[\]]", r"\\\g<0>", escaped(text).replace("\\]", "]"))
