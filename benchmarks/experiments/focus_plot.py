"""Harvest and recall over the pages fetched, a curve a strategy: SVG by the report's own drawing, PNG by matplotlib."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.experiments.focus_crawl import Order
from benchmarks.experiments.focus_report import Results, Sizes
from parcels.report.svg import Series, lines

COLOURS = {"breadth-first": "#7f7f7f", "bag of words": "#ff7f0e", "focused": "#1b64c8", "oracle": "#2ca02c"}
MEASURES: dict[str, Callable[[Order, float, int], float]] = {"harvest": Order.harvest, "recall": Order.recall}
POINTS = 50
Points = list[tuple[float, float]]


def plot(results: Results, sizes: Sizes, out: Path) -> None:
    """Write the means over all crawls and repetitions, in per cent, against the share of reachable pages fetched."""
    drawn = {
        name: {strategy: _points(results, sizes, strategy, measure) for strategy in COLOURS}
        for name, measure in MEASURES.items()
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    for name, curves in drawn.items():
        series = [Series(strategy, points, COLOURS[strategy]) for strategy, points in curves.items()]
        path = out.with_name(f"{out.name}-{name}.svg")
        path.write_text(lines(series, about=f"{name} over the share of pages fetched"), "utf-8")
        print(f"plot: {path}")
    if find_spec("matplotlib") is None:
        print(f"no {out.name}.png: pip install matplotlib")
        return
    _png(drawn, out.with_suffix(".png"))
    print(f"plot: {out.with_suffix('.png')}")


def _points(results: Results, sizes: Sizes, strategy: str, measure: Callable[[Order, float, int], float]) -> Points:
    points = []
    for share in np.linspace(1 / POINTS, 1, POINTS).tolist():
        values = [measure(order, share, sizes[key]) for key, by in results.items() for order in by[strategy]]
        points.append((100 * share, 100 * float(np.mean(values))))
    return points


def _png(drawn: dict[str, dict[str, Points]], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    for axes, (name, curves) in zip(figure.subplots(1, len(drawn)), drawn.items(), strict=True):
        for strategy, points in curves.items():
            axes.plot(*zip(*points, strict=True), label=strategy, color=COLOURS[strategy])
        axes.set(xlabel="% of reachable pages fetched", ylabel=f"{name}, %", xlim=(0, 100), ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(path, dpi=110)
