"""Plots as SVG text: bars, lines, a matrix, the picture of a page. All text is escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

INK, SOFT, LINE, BLUE = "#1c2430", "#5b6675", "#dfe4ea", "#1b64c8"
MIN_WIDTH = 560  # pixels; text of a wide drawing is illegible below
CHAR = 6.4  # approximate width of a letter in pixels


def text(x: float, y: float, words: object, *, anchor: str = "start", colour: str = SOFT, size: float = 11) -> str:
    """Return a line of text."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size:g}">'
        f"{escape(str(words))}</text>"
    )


def rect(x: float, y: float, width: float, height: float, fill: str, *, title: str = "", more: str = "") -> str:
    """Return a rectangle; `title` is its tooltip."""
    inside = f"<title>{escape(title)}</title>" if title else ""
    size = f'x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"'
    return f'<rect {size} fill="{escape(fill)}" {more}>{inside}</rect>'


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = LINE, more: str = "") -> str:
    """Return a line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" {more}/>'


def svg(width: float, height: float, parts: Sequence[str], *, about: str) -> str:
    """Return a drawing; `about` is its description for screen readers.

    It shrinks with the window down to a legible width, and then scrolls in its own box.
    """
    is_wide = width > MIN_WIDTH
    least = f"min-width:{MIN_WIDTH}px;" if is_wide else ""
    drawing = (
        f'<svg role="img" aria-label="{escape(about, quote=True)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" style="max-width:100%;{least}height:auto">'
        f"{''.join(parts)}</svg>"
    )
    return f'<div class="scroll">{drawing}</div>' if is_wide else drawing


def short(words: str, room: float) -> str:
    """Return a text cut to fit a width in pixels.

    >>> short("meridianpost.example", 60)
    'meridian…'
    """
    most = max(int(room / CHAR), 2)
    return words if len(words) <= most else words[: most - 1] + "…"


def stacked_bars(
    rows: Mapping[str, Mapping[str, float]], colours: Mapping[str, str], *, about: str, width: float = 860
) -> str:
    """Return one bar per row, as long as its sum, divided into coloured parts."""
    left, right, step = 170.0, 60.0, 22
    most = max((sum(parts.values()) for parts in rows.values()), default=0) or 1
    drawn = []
    for number, (name, parts) in enumerate(rows.items()):
        y, x = number * step + 4, left
        drawn.append(text(left - 8, y + 12, short(name, left - 14), anchor="end", colour=INK))
        for part, value in parts.items():
            size = value / most * (width - left - right)
            title = f"{name}: {part} {value:,.0f} of {sum(parts.values()):,.0f}"
            drawn.append(rect(x, y, size, 15, colours.get(part, "#9aa4b1"), title=title))
            x += size
        drawn.append(text(x + 6, y + 12, f"{sum(parts.values()):,.0f}"))
    return svg(width, len(rows) * step + 6, drawn, about=about)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with an interval around its end."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    colour: str = BLUE


def interval_bars(bars: Sequence[Bar], *, about: str, width: float = 860, most: float | None = None) -> str:
    """Return bars from 0 with their intervals."""
    left, right, step = 170.0, 130.0, 21
    top = most or max((max(bar.value, bar.high or 0) for bar in bars), default=1) or 1
    at = (width - left - right) / top
    drawn = [line(left, 0, left, len(bars) * step + 2)]
    for number, bar in enumerate(bars):
        y = number * step + 3
        drawn.append(text(left - 8, y + 12, short(bar.name, left - 14), anchor="end", colour=INK))
        drawn.append(rect(left, y, bar.value * at, 14, bar.colour, title=f"{bar.name}: {bar.value:.3f}"))
        end = left + bar.value * at
        if bar.low is not None and bar.high is not None:
            low, high = left + bar.low * at, left + bar.high * at
            drawn += [line(low, y + 7, high, y + 7, stroke=INK, more='stroke-width="1.5"')]
            drawn += [line(x, y + 3, x, y + 11, stroke=INK, more='stroke-width="1.5"') for x in (low, high)]
            end = max(end, high)
        drawn.append(text(end + 6, y + 12, bar.note))
    return svg(width, len(bars) * step + 6, drawn, about=about)


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a plot."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: str
    has_dots: bool = False
    is_dashed: bool = False


def lines(
    series: Sequence[Series], *, about: str, x: str = "", ticks: Sequence[tuple[float, str]] = (),
    top: float | None = None, width: float = 420, height: float = 220, share: bool = False,
) -> str:  # fmt: skip
    """Return lines in one coordinate system, from 0 up; `ticks` are labelled places on the x axis."""
    points = [point for one in series for point in one.points]
    if not points:
        return ""
    near, far = min(point[0] for point in points), max(point[0] for point in points)
    high = top or max(point[1] for point in points) * 1.05 or 1.0
    left, low, right, above = 48.0, height - 40, width - 14, 24.0
    over = (right - left) / ((far - near) or 1)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return left + (point[0] - near) * over, low - point[1] / high * (low - above)

    drawn = []
    for part in (0, 0.25, 0.5, 0.75, 1):
        y = low - part * (low - above)
        value = f"{100 * part * high:.0f} %" if share else f"{part * high:,.0f}" if high >= 8 else f"{part * high:.2f}"
        drawn += [line(left, y, right, y), text(left - 6, y + 4, value, anchor="end")]
    for tick, word in ticks or ((near, f"{near:g}"), (far, f"{far:g}")):
        at = left + (tick - near) * over
        anchor = "end" if at > right - 30 else "start" if at < left + 30 else "middle"
        drawn.append(text(at, low + 15, word, anchor=anchor))
    drawn.append(text((left + right) / 2, height - 7, x, anchor="middle"))
    start = left
    for one in series:
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(place, one.points))
        dash = 'stroke-dasharray="5 4"' if one.is_dashed else ""
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{one.colour}" stroke-width="2" {dash}/>')
        if one.has_dots:
            drawn += [
                f'<circle cx="{place(point)[0]:.1f}" cy="{place(point)[1]:.1f}" r="3" fill="{one.colour}"/>'
                for point in one.points
            ]
        if one.name:
            drawn += [rect(start, 6, 10, 10, one.colour), text(start + 14, 15, one.name)]
            start += 26 + len(one.name) * CHAR
    return svg(width, height, drawn, about=about)


def matrix(names: Sequence[str], counts: Mapping[tuple[str, str], int], *, about: str) -> str:
    """Return a square of counts, rows by people and columns by the model; shades are shares of the row."""
    cell, left, above = 34.0, 100.0, 84.0
    size = len(names) * cell
    drawn = []
    for row, gold in enumerate(names):
        total = sum(counts.get((gold, predicted), 0) for predicted in names) or 1
        y = above + row * cell
        drawn.append(text(left - 6, y + 21, short(gold, left), anchor="end", colour=INK))
        place = f"translate({left + row * cell + 21:.1f},{above - 6}) rotate(-50)"
        drawn.append(f'<g transform="{place}">{text(0, 0, gold, colour=INK)}</g>')
        for column, predicted in enumerate(names):
            count = counts.get((gold, predicted), 0)
            share = count / total
            hue = "46,125,80" if gold == predicted else "190,50,35"
            shade = f"rgba({hue},{0.05 + 0.8 * share if count else 0.03:.3f})"
            title = f"people: {gold}, model: {predicted}: {count:,} ({100 * share:.1f} %)"
            drawn.append(rect(left + column * cell, y, cell - 1, cell - 1, shade, title=title))
            if count:
                colour = "#fff" if share > 0.55 else INK
                words = f"{count:,}" if count < 10_000 else f"{count // 1000}k"
                x = left + (column + 0.5) * cell - 0.5
                drawn.append(text(x, y + 21, words, anchor="middle", colour=colour, size=10))
    return svg(left + size + 60, above + size + 4, drawn, about=about)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A block in the picture of a page."""

    box: tuple[float, float, float, float]
    label: str
    is_wrong: bool = False
    title: str = ""


def page_picture(blocks: Sequence[Drawn], colours: Mapping[str, str], *, about: str, width: float = 260) -> str:
    """Return a page as its blocks in the colours of their labels; wrong blocks have a red frame."""
    wide = 1000.0
    tall = min(max((block.box[1] + block.box[3] for block in blocks), default=100.0), 3200.0)
    scale = width / wide
    drawn = [rect(0, 0, width, tall * scale, "#fff", more=f'stroke="{LINE}"')]
    for block in sorted(blocks, key=lambda one: (one.is_wrong, -one.box[2] * one.box[3])):
        x, y, w, h = (value * scale for value in block.box)
        frame = 'stroke="#d00000" stroke-width="1.6"' if block.is_wrong else ""
        colour = colours.get(block.label, "#9aa4b1")
        drawn.append(rect(x, y, max(w, 2), max(h, 2), colour, title=block.title, more=f'fill-opacity="0.75" {frame}'))
    return svg(width, tall * scale, drawn, about=about)
