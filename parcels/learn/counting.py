# cython: boundscheck=True, wraparound=False, cdivision=True
"""Count the words of a page's blocks into the columns of a vocabulary, as compressed rows (words.Words).

A tuple of words that occurs in many rows is looked up once.
Columns are numbers from 0 to the size of the vocabulary; others raise IndexError.
"""

import numpy as np
import numpy.typing as npt

from parcels.maps import IntMap

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def count_tokens(
    column_of: npt.NDArray[np.int32], is_counted: npt.NDArray[np.uint8], begin: npt.NDArray[np.intp], width: int
) -> tuple[Ints, Ints, Floats]:
    """Return starts, columns and counts: row i has the counted tokens from `begin[i]` to `begin[i + 1]`.

    `column_of` has the column of each token, from 0 to `width` - 1, or -1 for tokens that do not count.

    >>> flags, begin = np.array([1, 1, 0, 1, 1], np.uint8), np.array([0, 5])
    >>> starts, columns, counts = count_tokens(np.array([1, 0, 0, 1, -1], np.int32), flags, begin, 2)
    >>> starts.tolist(), columns.tolist(), counts.tolist()
    ([0, 2], [1, 0], [2.0, 1.0])
    """
    count, rows, size = 0, begin.shape[0] - 1, column_of.shape[0]
    starts_array, columns_array, counts_array = np.zeros(rows + 1, np.int64), np.empty(size, np.int64), np.empty(size)
    starts, columns, counts = starts_array, columns_array, counts_array
    ends = np.zeros(width, np.int32)  # by column: one past its last entry
    for row in range(rows):
        first = count
        for at in range(begin[row], begin[row + 1]):
            column = column_of[at]
            if column >= 0 and is_counted[at]:
                if ends[column] <= first:
                    columns[count], counts[count] = column, 0
                    count += 1
                    ends[column] = count
                counts[ends[column] - 1] += 1
        starts[row + 1] = count
    return starts_array, columns_array[:count], counts_array[:count]


def columns_of_parts(rows: list[list[tuple[str, ...]]], vocabulary: dict[str, int]) -> tuple[Ints, Ints]:
    """Return starts and columns of rows given as several tuples of words, each column once per row.

    >>> starts, columns = columns_of_parts([[("red", "fox"), ("red",)], []], {"fox": 0, "red": 1})
    >>> starts.tolist(), columns.tolist()
    ([0, 2, 2], [1, 0])
    """
    count, size, parts = 0, 0, 0
    for row_parts in rows:
        parts += len(row_parts)
        for part in row_parts:
            size += len(part)
    starts_array, columns_array = np.zeros(len(rows) + 1, np.int64), np.empty(size, np.int64)
    starts, columns = starts_array, columns_array
    numbers = IntMap()  # of the tuples, by identity: neighbouring blocks share most of theirs
    known, ends = 0, np.zeros(parts + 1, np.int64)  # by tuple: its end in `in_part`
    in_part, end = np.empty(size, np.int64), 0  # the columns of the tuples
    next_row = np.zeros(len(vocabulary), np.int32)  # by column: one past the last row that has it
    for row in range(len(rows)):
        for part in rows[row]:
            number = numbers.put(id(part), known)
            if number == known:
                for word in part:
                    value = vocabulary.get(word)
                    if value is not None:
                        in_part[end] = value
                        end += 1
                known += 1
                ends[known] = end
            for at in range(ends[number], ends[number + 1]):
                column = in_part[at]
                if next_row[column] <= row:
                    next_row[column] = row + 1
                    columns[count] = column
                    count += 1
        starts[row + 1] = count
    return starts_array, columns_array[:count]
