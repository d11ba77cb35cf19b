# cython: wraparound=False, cdivision=True
"""The inner loops of the page network over rows of features: normalisation, neighbours, and means of groups of rows.

Matrix products are left to NumPy: its BLAS selects the processor's widest instructions at run time.
"""

import cython
import numpy as np
import numpy.typing as npt

if cython.compiled:
    from cython.cimports.libc.math import sqrtf as sqrt
else:
    from math import sqrt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

LEAST_VARIANCE = 1e-5
NEIGHBOURS = 5  # rows that a row is seen with, itself included


def normalise(rows: Floats, out: Floats, spread: Floats) -> None:
    """Write rows with mean 0 and variance 1 into `out`, and their standard deviations into `spread`.

    >>> rows, out, spread = np.array([[1, 5]], np.float32), np.zeros((1, 2), np.float32), np.zeros(1, np.float32)
    >>> normalise(rows, out, spread)
    >>> out.round(3).tolist(), spread.round(3).tolist()
    ([[-1.0, 1.0]], [2.0])
    """
    count, width = rows.shape[0], rows.shape[1]
    whole = width - width % 4
    for row in range(count):
        a = b = c = d = 0.0  # four sums, so that additions do not wait for each other
        for at in range(0, whole, 4):
            a += rows[row, at]
            b += rows[row, at + 1]
            c += rows[row, at + 2]
            d += rows[row, at + 3]
        for at in range(whole, width):
            a += rows[row, at]
        mean = ((a + b) + (c + d)) / width
        for at in range(width):
            out[row, at] = rows[row, at] - mean
        a = b = c = d = 0.0
        for at in range(0, whole, 4):
            a += out[row, at] * out[row, at]
            b += out[row, at + 1] * out[row, at + 1]
            c += out[row, at + 2] * out[row, at + 2]
            d += out[row, at + 3] * out[row, at + 3]
        for at in range(whole, width):
            a += out[row, at] * out[row, at]
        deviation = sqrt(((a + b) + (c + d)) / width + LEAST_VARIANCE)
        spread[row] = deviation
        for at in range(width):
            out[row, at] = out[row, at] / deviation


def place_neighbours(rows: Floats, dilation: int, near: Floats) -> None:
    """Write for each row the rows from two behind it to two before it, `dilation` apart, side by side into `near`.

    Beyond the first and the last row there are zeros.

    >>> near = np.ones((3, 5), np.float32)
    >>> place_neighbours(np.array([[1], [2], [3]], np.float32), 1, near)
    >>> near.tolist()
    [[3.0, 2.0, 1.0, 0.0, 0.0], [0.0, 3.0, 2.0, 1.0, 0.0], [0.0, 0.0, 3.0, 2.0, 1.0]]
    """
    count, width = rows.shape[0], rows.shape[1]
    if near.shape[0] != count or near.shape[1] != NEIGHBOURS * width:
        raise ValueError(f"{count} rows of {width} do not fit {near.shape[0]} rows of {near.shape[1]}")
    for row in range(count):
        for part in range(NEIGHBOURS):
            other, begin = row + (NEIGHBOURS // 2 - part) * dilation, part * width
            if 0 <= other < count:
                for at in range(width):
                    near[row, begin + at] = rows[other, at]
            else:
                for at in range(width):
                    near[row, begin + at] = 0


def add_bias(sums: Floats, bias: Floats) -> None:
    """Add a bias to each row, and set negative values to 0.

    >>> sums = np.array([[1, -5]], np.float32)
    >>> add_bias(sums, np.array([2, 3], np.float32))
    >>> sums.tolist()
    [[3.0, 0.0]]
    """
    count, width = sums.shape[0], sums.shape[1]
    if bias.shape[0] != width:
        raise ValueError(f"a bias of {bias.shape[0]} does not fit rows of {width}")
    for row in range(count):
        for at in range(width):
            value = sums[row, at] + bias[at]
            sums[row, at] = 0 if value < 0 else value


def mean_rows(rows: Floats, order: Ints, starts: Ints, means: Floats) -> None:
    """Write the mean of each group's rows into `means`: group g has the rows `order[starts[g]:starts[g + 1]]`."""
    groups, width = starts.shape[0], rows.shape[1]
    for group in range(groups):
        first = starts[group]
        end = starts[group + 1] if group + 1 < groups else order.shape[0]
        size = end - first
        row = order[first]
        for at in range(width):
            means[group, at] = rows[row, at]
        for place in range(first + 1, end):
            row = order[place]
            for at in range(width):
                means[group, at] += rows[row, at]
        if size > 1:
            for at in range(width):
                means[group, at] /= size


def add_rows(sums: Floats, rows: Floats, place: Ints) -> None:
    """Add to each row of `sums` the row of `rows` at its index in `place`."""
    count, width = sums.shape[0], sums.shape[1]
    for row in range(count):
        other = place[row]
        for at in range(width):
            sums[row, at] += rows[other, at]
