"""The learning curve of the labels so far, and an estimate of what more labels would gain.

A small learner (linear, least squares, fitted in milliseconds) learns from growing parts of the labelled pages and is
tested on sites that it has not seen; a power law through the errors says where the curve goes. How far such guesses
were off was measured on real learning curves (`benchmarks/quality/annotate_hint.py` on news17, kept in `hint.json`):
the hint's interval is made of those misses.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MORE = 50  # labels that the hint is about
MIN_SITES, MIN_LABELS = 3, 60
SPLITS = 6
HELD_OUT = 1 / 3  # of the sites, in each split
FIRST, GROWTH = 20, 1.6  # sizes of the parts
RIDGE, MAX_DEVIATION = 100.0, 4.0  # how strongly weights are held back; deviations beyond which a number says no more
POWERS = np.linspace(0.1, 1.5, 29)


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """The labelled blocks of one page."""

    site: str
    numbers: Floats
    y: NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Hint:
    """The measured learning curve and the expected gain of more labels."""

    labels: int
    points: list[tuple[int, float]]  # labels, mean error
    error: float  # now, by the curve
    gain: float  # by how much MORE labels lower it
    low: float  # four of five misses of the backtest lie between these gains
    high: float


def estimate_gain(pages: Sequence[LabelledPage], *, seed: int = 0) -> Hint | None:
    """Return the curve and the expected gain; None where there are too few labels."""
    labels = sum(len(page.y) for page in pages)
    if len({page.site for page in pages}) < MIN_SITES or labels < MIN_LABELS:
        return None
    points = measured_curve(pages, seed=seed)
    if len(points) < 3:
        return None
    level, factor, power = power_law(points)
    gain = factor * (labels**-power - (labels + MORE) ** -power)
    low, high = misses(labels)
    return Hint(labels, points, level + factor * labels**-power, gain, gain + low, gain + high)


def measured_curve(pages: Sequence[LabelledPage], *, seed: int = 0) -> list[tuple[int, float]]:
    """Return the mean error on unseen sites after each number of labels."""
    random = np.random.default_rng(seed)
    errors: dict[int, list[float]] = {}
    for _ in range(SPLITS):
        train, test = _split(pages, random)
        x, y = _rows(train)
        for size in sizes(len(y)):
            if len(set(y[:size].tolist())) > 1:
                errors.setdefault(size, []).append(error_of(x[:size], y[:size], test))
    return [(size, float(np.mean(values))) for size, values in sorted(errors.items()) if len(values) == SPLITS]


def _split(pages: Sequence[LabelledPage], random: np.random.Generator) -> tuple[list[LabelledPage], list[LabelledPage]]:
    sites = sorted({page.site for page in pages})
    random.shuffle(sites)
    held_out = set(sites[: max(1, round(HELD_OUT * len(sites)))])
    train = [page for page in pages if page.site not in held_out]
    order = random.permutation(len(train)).tolist()
    return [train[place] for place in order], [page for page in pages if page.site in held_out]


def sizes(most: int) -> list[int]:
    """Return the numbers of labels to measure, up to `most`.

    >>> sizes(100)
    [20, 32, 51, 82]
    """
    sizes_, size = [], float(FIRST)
    while size <= most:
        sizes_.append(round(size))
        size *= GROWTH
    return sizes_


def error_of(x: Floats, y: NDArray[np.str_], test: Sequence[LabelledPage]) -> float:
    """Return the error of a small learner, fitted to x and y, on other pages."""
    classify = _fitted(x, y)
    wrong = sum(int((classify(page.numbers) != page.y).sum()) for page in test)
    return wrong / max(1, sum(len(page.y) for page in test))


def _fitted(x: Floats, y: NDArray[np.str_]) -> Callable[[Floats], NDArray[np.str_]]:
    """Return a linear classifier: ridge regression on the classes, over standardised numbers."""
    classes, place = np.unique(y, return_inverse=True)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-9] = 1.0

    def standard(rows: Floats) -> Floats:
        clipped: Floats = np.clip((rows - mean) / scale, -MAX_DEVIATION, MAX_DEVIATION)
        return clipped

    wanted = np.eye(len(classes))[place]
    rows, usual = standard(x), wanted.mean(axis=0)
    weights = np.linalg.solve(rows.T @ rows + RIDGE * np.eye(rows.shape[1]), rows.T @ (wanted - usual))
    return lambda new: classes[(standard(new) @ weights + usual).argmax(axis=1)]


def _rows(pages: Sequence[LabelledPage]) -> tuple[Floats, NDArray[np.str_]]:
    if not pages:
        return np.zeros((0, 0)), np.zeros(0, dtype=str)
    return np.concatenate([page.numbers for page in pages]), np.concatenate([page.y for page in pages])


def power_law(points: Sequence[tuple[int, float]]) -> tuple[float, float, float]:
    """Return level, factor and power of `level + factor * labels ** -power`, fitted by least squares.

    >>> level, factor, power = power_law([(n, 0.1 + n ** -0.5) for n in (20, 40, 80, 160)])
    >>> round(level, 3), round(factor, 3), round(power, 3)
    (0.1, 1.0, 0.5)
    """
    n, error = np.array([point[0] for point in points], float), np.array([point[1] for point in points])
    weight = np.sqrt(n)  # the later points are nearer to where the curve goes
    best = (float(error.mean()), 0.0, 1.0)
    least = float((weight * (error - best[0]) ** 2).sum())
    for power in POWERS.tolist():
        falling = n**-power
        for columns in (np.stack([np.ones_like(n), falling], axis=1), np.stack([falling * 0, falling], axis=1)):
            solution = np.linalg.lstsq(columns * weight[:, None] ** 0.5, error * weight**0.5, rcond=None)[0]
            miss = float((weight * (error - columns @ solution) ** 2).sum())
            if miss < least - 1e-12 and solution.min() >= 0:
                best, least = (float(solution[0]), float(solution[1]), power), miss
    return best


@cache
def backtest() -> dict[str, list[dict[str, float]]]:
    """Return, for each range of labels, how far predicted gains were off in the backtest."""
    text = (resources.files("parcels.annotate") / "hint.json").read_text("utf-8")
    bands: dict[str, list[dict[str, float]]] = json.loads(text)
    return bands


def misses(labels: int) -> tuple[float, float]:
    """Return the interval that holds four of five misses (real gain minus predicted) at a number of labels."""
    bands = backtest()["bands"]
    band = next((one for one in bands if labels <= one["to"]), bands[-1])
    return band["low"], band["high"]
