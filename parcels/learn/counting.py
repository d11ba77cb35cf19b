# cython: boundscheck=True, wraparound=False, cdivision=True
"""Count the words of a page's blocks into the columns of a vocabulary (words.Words says what rows are).

A word is looked up in the vocabulary once for each tuple of words, or once for each token. What is counted in a row so
far is kept by the number of a column among those of the page, in arrays that are as small as the page.
"""

import numpy as np
import numpy.typing as npt

from parcels.maps import IntMap

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def count_tokens(
    tokens: list[str], is_counted: npt.NDArray[np.uint8], begin: npt.NDArray[np.intp], vocabulary: dict[str, int]
) -> tuple[Ints, Ints, Floats]:
    """Return starts, columns and counts: row i has the tokens from `begin[i]` to `begin[i + 1]` that are counted.

    >>> flags, begin = np.array([1, 1, 0, 1], np.uint8), np.array([0, 4])
    >>> starts, columns, counts = count_tokens(["red", "fox", "fox", "red"], flags, begin, {"fox": 0, "red": 1})
    >>> starts.tolist(), columns.tolist(), counts.tolist()
    ([0, 2], [1, 0], [2.0, 1.0])
    """
    count, rows, size = 0, begin.shape[0] - 1, len(tokens)
    starts_array, columns_array, counts_array = np.zeros(rows + 1, np.int64), np.empty(size, np.int64), np.empty(size)
    starts, columns, counts = starts_array, columns_array, counts_array
    numbers = IntMap()  # of the columns, as they come
    known, places = 0, np.empty(size, np.int64)  # of each column's last entry
    for row in range(rows):
        first = count
        for at in range(begin[row], begin[row + 1]):
            if is_counted[at]:
                value = vocabulary.get(tokens[at])
                if value is not None:
                    column = value
                    number = numbers.put(column, known)
                    if number == known:
                        known += 1
                        places[number] = -1
                    place = places[number]
                    if place < first:
                        places[number] = place = count
                        columns[place], counts[place] = column, 0
                        count += 1
                    counts[place] += 1
        starts[row + 1] = count
    return starts_array, columns_array[:count], counts_array[:count]


def columns_of_parts(rows: list[list[tuple[str, ...]]], vocabulary: dict[str, int]) -> tuple[Ints, Ints]:
    """Return starts and columns of rows of several tuples of words, each column once per row.

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
    part_numbers = IntMap()  # of the tuples, by identity: blocks side by side have most of theirs in common
    known_parts, ends = 0, np.zeros(parts + 1, np.int64)  # of the tuples' words in `words`
    numbers = IntMap()  # of the columns, as they come
    known, end, words = 0, 0, np.empty(size, np.int64)
    column_of, last_row = np.empty(size, np.int64), np.empty(size, np.int64)
    for row in range(len(rows)):
        for part in rows[row]:
            part_number = part_numbers.put(id(part), known_parts)
            if part_number == known_parts:
                for word in part:
                    value = vocabulary.get(word)
                    if value is not None:
                        column = value
                        number = numbers.put(column, known)
                        if number == known:
                            column_of[number], last_row[number] = column, -1
                            known += 1
                        words[end] = number
                        end += 1
                known_parts += 1
                ends[known_parts] = end
            for at in range(ends[part_number], ends[part_number + 1]):
                number = words[at]
                if last_row[number] != row:
                    last_row[number] = row
                    columns[count] = column_of[number]
                    count += 1
        starts[row + 1] = count
    return starts_array, columns_array[:count]
