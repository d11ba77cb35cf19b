"""Curves of the error a round: inline SVG for a page that needs nothing else, and PNG where matplotlib is there."""

import html
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

Curves = Mapping[str, Sequence[float]]  # of each classifier, in per cent, before the first round and after each
COLOURS = {"stylistic": "#1f77b4", "lexical": "#ff7f0e", "combined": "#2ca02c", "single view": "#7f7f7f"}
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 300, 46, 36, 26, 96
STYLE = "body{font:15px/1.5 sans-serif;max-width:64em;margin:2em auto;padding:0 1em}svg{max-width:100%}"


def bounds(curves: Curves) -> tuple[float, float]:
    """The least and the largest error to be shown, in steps of 5 per cent.

    >>> bounds({"combined": [22.0, 31.0]})
    (20.0, 35.0)
    """
    values = [value for points in curves.values() for value in points]
    return 5 * float(min(values) // 5), 5 * float(-(-max(values) // 5))


def svg(title: str, curves: Curves) -> str:
    """One figure.

    >>> figure = svg("Error a round", {"combined": [30.0, 25.0], "lexical": [33.0, 31.0]})
    >>> figure.count("<polyline"), "Error a round" in figure
    (2, True)
    """
    low, high = bounds(curves)
    rounds = max(len(points) for points in curves.values()) - 1
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(number: int, value: float) -> tuple[float, float]:
        return LEFT + across * number / max(1, rounds), TOP + down * (high - value) / max(1e-9, high - low)

    parts = [f'<text x="{LEFT}" y="16" font-weight="bold">{html.escape(title)}</text>']
    for step in range(int((high - low) // 5) + 1):
        value = low + 5 * step
        y = place(0, value)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.0f} %</text>')
    for number in range(0, rounds + 1, max(1, rounds // 10)):
        parts.append(f'<text x="{place(number, low)[0]:.1f}" y="{HEIGHT - 18}" text-anchor="middle">{number}</text>')
    parts.append(f'<text x="{LEFT + across / 2:.0f}" y="{HEIGHT - 3}" text-anchor="middle">round</text>')
    for name, points in curves.items():
        line = " ".join("{:.1f},{:.1f}".format(*place(number, value)) for number, value in enumerate(points))
        colour = COLOURS.get(name, "#d62728")
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        x, y = place(len(points) - 1, points[-1])
        parts.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" fill="{colour}">{html.escape(name)}</text>')
    inner = "\n".join(parts)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" font-size="12" role="img">\n{inner}\n</svg>'


def write_html(path: Path, heading: str, figures: Mapping[str, Curves], tables: str) -> None:
    """One file with the figures and the tables as text."""
    body = "\n".join(svg(title, curves) for title, curves in figures.items())
    path.write_text(
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(heading)}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{html.escape(heading)}</h1>\n{body}\n<pre>{html.escape(tables)}</pre></html>\n",
        "utf-8",
    )


def write_png(path: Path, figures: Mapping[str, Curves]) -> bool:
    """Write the figures beside each other as PNG; return False where matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6 * len(figures), 4), layout="constrained")
    for axis, (title, curves) in zip(figure.subplots(1, len(figures), squeeze=False)[0], figures.items(), strict=True):
        for name, points in curves.items():
            axis.plot(points, label=name, color=COLOURS.get(name))
        axis.set(title=title, xlabel="round", ylabel="error, %")
        axis.legend()
    figure.savefig(path)
    return True
