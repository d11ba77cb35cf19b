"""Pieces of an article's text in reading order: paragraphs, headings, list entries, tables, code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.articles.body.data_tables import data_tables, slots
from parcels.articles.body.parts import Parts
from parcels.html.leaves import Leaves

_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LOOK_UP = 8  # ancestors of a block in which a list, quotation or code is looked for


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: `kind` is paragraph, heading, item, table, code or quote."""

    kind: str
    level: int  # of a heading
    text: str
    group: int = -1  # row of an item's list, -1 for none
    row: int = -1  # row of its element, -1 for a text from data
    first: int = 0  # its leaves
    end: int = 0


def pieces_of(parts: Parts, taken: NDArray[np.bool_]) -> list[Piece]:
    """Return the pieces of the chosen blocks; a table or code listing is one piece.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> parts = parts_of(read_page("<h2>Fire</h2><p>It <b>burnt</b> <a href=/x>down</a>.<ul><li>a<li>b</ul>"))
    >>> [(piece.kind, piece.text) for piece in pieces_of(parts, np.ones(len(parts), bool))]
    [('heading', 'Fire'), ('paragraph', 'It burnt down.'), ('item', 'a'), ('item', 'b')]
    """
    pieces: list[Piece] = []
    nodes, first = parts.page.nodes, [*parts.division.first.tolist(), parts.division.leaf_count]
    tables = {number: table.row for table in data_tables(parts) for number in range(table.first, table.end)}
    for number in np.flatnonzero(taken).tolist():
        container, text = int(parts.division.container[number]), parts.texts[number]
        place = (container, first[number], first[number + 1])
        if (table := tables.get(number)) is not None:
            if not pieces or pieces[-1].row != table or pieces[-1].kind != "table":
                leaves = (int(nodes.first_leaf[table]), int(nodes.end_leaf[table]))
                pieces.append(Piece("table", 0, _table_text(parts, table), -1, table, *leaves))
            continue
        around = list(_around(parts, container))
        names = [nodes.tags[row] for row in around]
        if "pre" in names:
            row = around[names.index("pre")]
            if not pieces or (pieces[-1].kind, pieces[-1].row) != ("code", row):
                pieces.append(Piece("code", 0, code_of(nodes.elements[row]), -1, row, *place[1:]))
        elif heading := next((_HEADINGS[name] for name in names[:3] if name in _HEADINGS), 0):
            pieces.append(Piece("heading", heading, text, -1, *place))
        elif any(name in ("li", "dd", "dt") for name in names[:3]):
            group = next((row for row, name in zip(around, names, strict=True) if name in ("ul", "ol", "dl")), -1)
            pieces.append(Piece("item", 0, text, group, *place))
        else:
            pieces.append(Piece("quote" if "blockquote" in names else "paragraph", 0, text, -1, *place))
    return pieces


def as_text(pieces: Sequence[Piece]) -> str:
    """Return the text: a blank line between pieces, a line break between entries of one list."""
    out: list[str] = []
    before: Piece | None = None
    for piece in pieces:
        if before is not None:
            is_one_list = piece.kind == before.kind == "item" and piece.group == before.group >= 0
            out.append("\n" if is_one_list else "\n\n")
        out.append(piece.text)
        before = piece
    return "".join(out)


def code_of(element: etree._Element) -> str:
    r"""Return the text of a code listing verbatim, with a line break for each `br`.

    >>> code_of(etree.HTML("<pre>a = 1<br>if <b>a</b>:\n  b = 2</pre>"))
    'a = 1\nif a:\n  b = 2'
    """
    fragments = []
    for event, one in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            fragments.append("\n" if one.tag == "br" else one.text or "")
        elif one is not element:
            fragments.append(one.tail or "")
    return "".join(fragments).replace("\r\n", "\n").strip("\n")


def _table_text(parts: Parts, table: int) -> str:
    """Return one line per row, including empty cells; a cell that spans rows or columns occurs once."""
    nodes, leaves = parts.page.nodes, parts.page.leaves

    def inside(row: int) -> str:
        return leaf_text(leaves, int(nodes.first_leaf[row]), int(nodes.end_leaf[row]))

    lines = [" | ".join(inside(slot[0]) if slot and slot[1] else "" for slot in line) for line in slots(nodes, table)]
    caption = caption_of(parts, table)
    return "\n".join(([inside(caption)] if caption >= 0 else []) + [line.strip() for line in lines])


def caption_of(parts: Parts, table: int) -> int:
    """Return the row of a table's `caption`, -1 where it has none."""
    nodes, row = parts.page.nodes, table + 1
    has_one = row <= nodes.last[table] and nodes.tags[row] == "caption" and nodes.end_leaf[row] > nodes.first_leaf[row]
    return row if has_one else -1


def leaf_text(leaves: Leaves, first: int, end: int) -> str:
    """Return the text leaves of a range, joined."""
    joined: list[str] = []
    for leaf in range(first, end):
        if leaves.kind[leaf] == "text":
            joined.append((" " if joined and leaves.is_spaced[leaf] else "") + leaves.text[leaf])
    return "".join(joined)


def _around(parts: Parts, row: int) -> Iterator[int]:
    for _ in range(_LOOK_UP):
        yield row
        row = int(parts.page.nodes.parent[row])
        if row < 0:
            return
