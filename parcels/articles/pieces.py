"""The chosen blocks as pieces of a text in reading order: paragraphs, headings, list entries, table rows, code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from parcels.articles.parts import Parts

_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "kbd": "`", "samp": "`", "tt": "`"}
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_LOOK_UP = 8  # elements above a block in which a list, table, quotation or code is looked for


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece: `kind` is paragraph, heading, item, row, code or quote."""

    kind: str
    level: int  # of a heading, or how deep a list is nested
    text: str
    markdown: str
    group: int  # the list or table that it belongs to: the element's row, -1 for none


def pieces_of(parts: Parts, taken: NDArray[np.bool_], base: str | None) -> list[Piece]:
    """The pieces of the chosen blocks.

    >>> from parcels.articles.parts import parts_of
    >>> from parcels.page import read_page
    >>> parts = parts_of(read_page("<h2>Fire</h2><p>It <b>burnt</b> <a href=/x>down</a>.<ul><li>a<li>b</ul>"))
    >>> [piece.markdown for piece in pieces_of(parts, np.ones(len(parts), bool), "https://e.example/")]
    ['## Fire', 'It **burnt** [down](https://e.example/x).', '- a', '- b']
    """
    found: list[Piece] = []
    rows: dict[int, int] = {}  # the piece of a table's row
    is_data = cache(partial(_is_data, parts))
    for number in np.flatnonzero(taken).tolist():
        container = int(parts.division.container[number])
        around = list(_around(parts, container))
        names = [parts.page.nodes.tags[row] for row in around]
        text, marked = parts.texts[number], _marked(parts, number, container, base)
        if "pre" in names:
            row = around[names.index("pre")]
            if not found or (found[-1].kind, found[-1].group) != ("code", row):
                code = "".join(map(str, parts.page.nodes.elements[row].itertext())).strip("\n")
                found.append(Piece("code", 0, code, f"```\n{code}\n```", row))
        elif heading := next((_HEADINGS[name] for name in names[:3] if name in _HEADINGS), 0):
            found.append(Piece("heading", heading, text, f"{'#' * heading} {' '.join(marked.split())}", -1))
        elif "tr" in names and "table" in names and is_data(around[names.index("table")]):
            row, table = around[names.index("tr")], around[names.index("table")]
            cell = marked.replace("|", "\\|")
            if row in rows:
                before = found[rows[row]]
                found[rows[row]] = Piece("row", 0, f"{before.text} | {text}", f"{before.markdown} {cell} |", table)
            else:
                rows[row] = len(found)
                found.append(Piece("row", 0, text, f"| {cell} |", table))
        elif any(name in ("li", "dd", "dt") for name in names[:3]):
            depth = sum(name in ("ul", "ol", "dl") for name in names)
            group = next((row for row, name in zip(around, names, strict=True) if name in ("ul", "ol", "dl")), -1)
            found.append(Piece("item", depth, text, f"{'  ' * max(0, depth - 1)}- {marked}", group))
        elif "blockquote" in names:
            found.append(Piece("quote", 0, text, f"> {marked}", -1))
        else:
            found.append(Piece("paragraph", 0, text, marked, -1))
    return found


def as_text(pieces: Sequence[Piece]) -> str:
    """Paragraphs separated by a blank line; the entries of one list and the rows of one table by a line's end."""
    return _joined([(piece.text, piece) for piece in pieces])


def as_markdown(pieces: Sequence[Piece]) -> str:
    """The same with headings, lists, links, emphasis, tables and code marked."""
    lines = []
    for place, piece in enumerate(pieces):
        lines.append((piece.markdown, piece))
        is_first = piece.kind == "row" and (place == 0 or pieces[place - 1].group != piece.group)
        if is_first:  # a table of Markdown needs a line under its first row
            columns = max(1, piece.markdown.replace("\\|", "").count("|") - 1)
            lines.append(("|" + " --- |" * columns, piece))
    return _joined(lines)


def _joined(lines: Sequence[tuple[str, Piece]]) -> str:
    out: list[str] = []
    before: Piece | None = None
    for line, piece in lines:
        is_one_group = before is not None and piece.group >= 0 and piece.group == before.group
        if out:
            out.append("\n" if is_one_group and piece.kind in ("item", "row") else "\n\n")
        out.append(line)
        before = piece
    return "".join(out)


def _around(parts: Parts, row: int) -> Iterator[int]:
    for _ in range(_LOOK_UP):
        yield row
        row = int(parts.page.nodes.parent[row])
        if row < 0:
            return


def _is_data(parts: Parts, table: int) -> bool:
    """True where a table holds cells of a few words, not the page's layout."""
    nodes = parts.page.nodes
    inside = slice(int(nodes.first_leaf[table]), int(nodes.end_leaf[table]))
    cells = sum(tag in ("td", "th") for tag in nodes.tags[table : int(nodes.last[table]) + 1])
    return cells >= 2 and int(parts.leaf_words[inside].sum()) <= 40 * cells


def _marked(parts: Parts, number: int, container: int, base: str | None) -> str:
    """The text of a block with its links and emphasis as Markdown."""
    leaves, nodes = parts.page.leaves, parts.page.nodes
    first = int(parts.division.first[number])
    end = int(parts.division.first[number + 1]) if number + 1 < len(parts) else parts.division.leaf_count
    joined, link_before = "", -1
    for leaf in range(first, end):
        if leaves.kind[leaf] != "text":
            continue
        row, text, mark = int(leaves.node[leaf]), leaves.text[leaf], ""
        link, above = int(nodes.link[row]), row
        while above > container and not mark:
            mark = _MARKS.get(nodes.tags[above], "")
            above = int(nodes.parent[above])
        text = f"{mark}{text}{mark}"
        href = nodes.attributes[link].get("href", "").strip() if link > container else ""
        if href and not href.lower().startswith(("javascript:", "#")):
            target = _address(base, href)
            if link == link_before and joined.endswith(")"):  # one link in several texts
                joined = joined[: joined.rindex("](")] + (" " if leaves.is_spaced[leaf] else "") + f"{text}]({target})"
                continue
            text = f"[{text}]({target})"
        link_before = link
        joined += (" " if joined and leaves.is_spaced[leaf] else "") + text
    return joined


def _address(base: str | None, href: str) -> str:
    try:
        return (urljoin(base, href) if base else href).replace(" ", "%20").replace(")", "%29")
    except ValueError:  # a bracket where no address has one
        return href.replace(" ", "%20").replace(")", "%29")
