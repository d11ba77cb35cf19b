"""The blocks of a page as a text table: number, label, confidence, area, text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from parcels.cli.output.cells import cut, visible, width_of
from parcels.labels import label_set
from parcels.results import Leaf, PageBlocks

NAMES = ("n", "label", "confidence", "area", "text")
MIN_TEXT = 20  # columns, even on a narrow terminal
DEFAULT_COLUMNS = 120  # of a table in a file
RESET, BOLD = "\x1b[0m", "\x1b[1m"


@dataclass(frozen=True, slots=True)
class TableStyle:
    """The width of a table, and the colour of each label; no colours if empty."""

    columns: int = DEFAULT_COLUMNS
    colours: Mapping[str, str] = field(default_factory=dict)


def style_for(*, columns: int | None, is_terminal: bool, environ: Mapping[str, str]) -> TableStyle:
    """Return the table style for an output; NO_COLOR (https://no-color.org) and TERM=dumb switch colours off.

    >>> style_for(columns=80, is_terminal=True, environ={"NO_COLOR": "1"})
    TableStyle(columns=80, colours={})
    >>> style_for(columns=80, is_terminal=True, environ={}).colours["title"]
    '\\x1b[38;5;160m'
    """
    has_colours = is_terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
    colours = {label.name: colour_code(label.colour) for label in label_set().labels} if has_colours else {}
    return TableStyle(columns or DEFAULT_COLUMNS, colours)


def colour_code(colour: str) -> str:
    """Return the escape code of the nearest of the terminal's 216 standard colours.

    >>> colour_code("#d62728")
    '\\x1b[38;5;160m'
    """
    red, green, blue = (_level(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return f"\x1b[38;5;{16 + 36 * red + 6 * green + blue}m"


def _level(part: int) -> int:
    levels = (0, 95, 135, 175, 215, 255)
    return min(range(6), key=lambda at: abs(levels[at] - part))


def table_of(page: PageBlocks, style: TableStyle) -> str:
    """Return the table; text of the page cannot break lines or send escape codes to the terminal.

    >>> import parcels
    >>> print(table_of(parcels.blocks("<h1>Fire at the pier</h1><p>Nobody was hurt.", model=None), TableStyle(40)))
    n  label  confidence  area    text
    0  -      -           centre  Fire at the pier
    1  -      -           centre  Nobody was hurt.
    """
    rows = [
        (
            str(block.n),
            visible(block.label or "-"),
            "-" if block.confidence is None else f"{block.confidence:.0%}",
            block.area or "-",
        )
        for block in page.blocks
    ]
    widths = [max(width_of(cell) for cell in column) for column in zip(NAMES[:4], *rows, strict=True)]
    room = max(style.columns - sum(widths) - 2 * len(widths), MIN_TEXT)
    head = "  ".join([*(name.ljust(width) for name, width in zip(NAMES[:4], widths, strict=True)), NAMES[4]])
    lines = [f"{BOLD}{head}{RESET}" if style.colours else head]
    for block, row in zip(page.blocks, rows, strict=True):
        text = cut(visible(block.text[: room + 1]), room) or _kinds(block.leaves)
        n, label, sure, area = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        colour = style.colours.get(block.label or "")
        if colour:
            label, text = f"{colour}{label}{RESET}", f"{colour}{text}{RESET}"
        lines.append("  ".join([n.strip().rjust(widths[0]), label, sure, area, text]).rstrip())
    return "\n".join(lines)


def _kinds(leaves: tuple[Leaf, ...]) -> str:
    """Return the kinds of the first images and controls of a block without text."""
    return " ".join(f"[{leaf.kind}]" for leaf in leaves[:3])
