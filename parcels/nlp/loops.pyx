# cython: wraparound=False, cdivision=True
"""Greedy tagging token by token, which NumPy can only do for all tokens at once; decode.py says what it means."""

from libc.stdlib cimport free, malloc

ctypedef long long Int
ctypedef fused Weight:
    short
    int

cdef enum:
    START, START2, END, END2
    OWN = 0, LEFT, LEFT2, RIGHT, RIGHT2


def greedy(
    const Py_ssize_t[::1] words,
    const unsigned char[::1] is_first,
    const unsigned char[::1] is_open,
    Py_ssize_t[::1] labels,
    const Weight[:, ::1] weights,
    const Int[:, ::1] tables,
    const int[:, :] keys,
    const Int[:, ::1] beside,
    const int[:, ::1] both,
    const Weight[:, ::1] behind,
    const unsigned int[:, ::1] behind_row,
    const Py_ssize_t[::1] behind_key,
    on_tie,
):
    """Set the labels of open tokens, from left to right.

    `tables` has a row a table of `weights`: the place that it looks at, its vocabulary, its first row. `beside` has
    further rows of `weights` for each token. `both` is what the two labels before say, `behind` what the label before
    says of the token's key.
    """
    cdef Py_ssize_t count = words.shape[0], size = weights.shape[1], before = behind_row.shape[1]
    cdef Py_ssize_t token, table, label, previous, second, best, last, row
    cdef Py_ssize_t around[5]
    cdef bint is_second, is_last
    cdef int most
    cdef int* total = <int*>malloc(size * sizeof(int))
    if total == NULL:
        raise MemoryError
    try:
        for token in range(count):
            if not is_open[token]:
                continue
            is_second = token > 0 and is_first[token - 1] and not is_first[token]
            is_last = token + 1 == count or is_first[token + 1]
            around[OWN] = words[token]
            if is_first[token]:
                around[LEFT], around[LEFT2], previous, second = START2, START, size, size + 1
            else:
                around[LEFT], previous = words[token - 1], labels[token - 1]
                around[LEFT2] = START2 if is_second else words[token - 2]
                second = size if is_second else labels[token - 2]
            if is_last:
                around[RIGHT], around[RIGHT2] = END, END2
            else:
                around[RIGHT] = words[token + 1]
                is_last = token + 2 == count or is_first[token + 2]
                around[RIGHT2] = END if is_last else words[token + 2]
            row = previous * before + second
            for label in range(size):
                total[label] = both[row, label]
            row = behind_row[behind_key[token], previous]
            for label in range(size):
                total[label] += behind[row, label]
            for table in range(tables.shape[0]):
                row = tables[table, 2] + keys[around[tables[table, 0]], tables[table, 1]]
                for label in range(size):
                    total[label] += weights[row, label]
            for table in range(beside.shape[0]):
                row = beside[table, token]
                for label in range(size):
                    total[label] += weights[row, label]
            best = last = 0
            most = total[0]
            for label in range(1, size):
                if total[label] > most:
                    best = last = label
                    most = total[label]
                elif total[label] == most:
                    last = label
            if best != last and on_tie is not None:
                best = on_tie(token, previous, second)
            labels[token] = best
    finally:
        free(total)
