# cython: wraparound=False, cdivision=True
"""Products of rows with a matrix of weights, summed in a fixed order.

BLAS sums in an order that depends on the number of rows, so that a block's scores would depend on its page.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def add_product(rows: Floats, weights: Floats, sums: Floats) -> None:
    """Add to each row of `sums` the product of the same row of `rows` with the weights.

    >>> sums = np.zeros((1, 2))
    >>> add_product(np.array([[1.0, 10.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), sums)
    >>> sums.tolist()
    [[31.0, 42.0]]
    """
    count, width, inputs = sums.shape[0], sums.shape[1], rows.shape[1]
    if rows.shape[0] != count or weights.shape[0] != inputs or weights.shape[1] != width:
        raise ValueError(f"{rows.shape[0]} rows of {inputs} do not fit {weights.shape[0]} rows of weights")
    whole = inputs - inputs % 4
    for row in range(count):
        for at in range(0, whole, 4):  # four at once, to read and write each sum less often
            a, b, c, d = rows[row, at], rows[row, at + 1], rows[row, at + 2], rows[row, at + 3]
            for output in range(width):
                sums[row, output] += (weights[at, output] * a + weights[at + 1, output] * b) + (
                    weights[at + 2, output] * c + weights[at + 3, output] * d
                )
        for at in range(whole, inputs):
            a = rows[row, at]
            for output in range(width):
                sums[row, output] += weights[at, output] * a


def add_sparse_product(starts: Ints, columns: Ints, counts: Floats, weights: Floats, sums: Floats) -> None:
    """Add to each row of `sums` the product of a sparse row of counts with the weights.

    >>> sums = np.zeros((1, 2))
    >>> weights = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> add_sparse_product(np.array([0, 2]), np.array([0, 2]), np.array([1.0, 10.0]), weights, sums)
    >>> sums.tolist()
    [[51.0, 62.0]]
    """
    count, width, inputs, entries = sums.shape[0], sums.shape[1], weights.shape[0], columns.shape[0]
    if starts.shape[0] != count + 1 or counts.shape[0] != entries or weights.shape[1] != width:
        raise ValueError(f"{starts.shape[0] - 1} rows and {weights.shape[1]} weights do not fit {count} and {width}")
    _check(starts, columns, inputs)
    for row in range(count):
        begin, end = starts[row], starts[row + 1]
        whole = end - (end - begin) % 4
        for at in range(begin, whole, 4):
            a, b, c, d = counts[at], counts[at + 1], counts[at + 2], counts[at + 3]
            first, second, third, fourth = columns[at], columns[at + 1], columns[at + 2], columns[at + 3]
            for output in range(width):
                sums[row, output] += (weights[first, output] * a + weights[second, output] * b) + (
                    weights[third, output] * c + weights[fourth, output] * d
                )
        for at in range(whole, end):
            a, first = counts[at], columns[at]
            for output in range(width):
                sums[row, output] += weights[first, output] * a


def weigh(starts: Ints, columns: Ints, counts: Floats, factors: Floats, weighted: Floats) -> None:
    """Write each count times the factor of its column into `weighted`, scaled so that each row has length 1.

    >>> weighted = np.zeros(2)
    >>> weigh(np.array([0, 2]), np.array([1, 0]), np.array([1.0, 1.0]), np.array([3.0, 4.0]), weighted)
    >>> weighted.round(6).tolist()
    [0.8, 0.6]
    """
    entries = columns.shape[0]
    if counts.shape[0] != entries or weighted.shape[0] != entries:
        raise ValueError(f"{counts.shape[0]} counts of {entries} columns do not fit {weighted.shape[0]} places")
    _check(starts, columns, factors.shape[0])
    for row in range(starts.shape[0] - 1):
        squares = 0.0
        for at in range(starts[row], starts[row + 1]):
            value = counts[at] * factors[columns[at]]
            weighted[at] = value
            squares += value * value
        if squares > 0:  # otherwise all counts are 0
            length = squares**0.5
            for at in range(starts[row], starts[row + 1]):
                weighted[at] /= length


def _check(starts: Ints, columns: Ints, width: int) -> None:
    """Raise ValueError for rows out of order and columns out of range."""
    entries = columns.shape[0]
    for row in range(starts.shape[0] - 1):
        if not 0 <= starts[row] <= starts[row + 1] <= entries:
            raise ValueError(f"row {row} has the entries {starts[row]} to {starts[row + 1]}, of {entries}")
    for at in range(entries):
        if not 0 <= columns[at] < width:
            raise ValueError(f"there is no column {columns[at]}: the weights have {width} rows")
