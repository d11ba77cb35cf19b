"""Harvest over pages, a curve a strategy: SVG, from the report's own drawing."""

from pathlib import Path

import numpy as np

from benchmarks.focus_crawl import Order
from parcels.report.svg import Series, lines

COLOURS = {"breadth-first": "#7f7f7f", "bag of words": "#ff7f0e", "focused": "#1b64c8", "oracle": "#2ca02c"}
POINTS = 50


def plot(results: dict[tuple[str, str], dict[str, list[Order]]], sizes: dict[tuple[str, str], int], out: Path) -> None:
    """Write the mean recall over all crawls and repetitions against the share of pages fetched."""
    series = []
    for strategy, colour in COLOURS.items():
        points = []
        for step in range(1, POINTS + 1):
            share = step / POINTS
            recalls = [order.recall(share, sizes[key]) for key, by in results.items() for order in by[strategy]]
            points.append((100 * share, 100 * float(np.mean(recalls))))
        series.append(Series(strategy, points, colour))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(lines(series, about="recall over the share of pages fetched"), "utf-8")
    print(f"plot: {out}")
