"""What a renderer returns, in C: what `parcels.layout.virtual` does with NumPy where this is not compiled."""

from parcels.layout cimport column_pointers as columns

import numpy as np


def boxes(left, top, wide, high, double most):
    """The boxes as rows of an array, all NaN where they have no width; and where the lowest that takes up room ends."""
    cdef list keep = []
    cdef double* sides[4]
    cdef Py_ssize_t row, side, count = len(left)
    cdef float bottom, lowest = 0.0
    cdef bint is_known = True
    sides[0], sides[1] = columns.doubles(keep, left), columns.doubles(keep, top)
    sides[2], sides[3] = columns.doubles(keep, wide), columns.doubles(keep, high)
    found = np.empty((count, 4), np.float32)
    cdef float* box = <float*> columns.memory(keep, found, sizeof(float))
    cdef float least = -most, largest = most
    for row in range(count):
        if sides[2][row] != sides[2][row]:
            box[0] = box[1] = box[2] = box[3] = <float> sides[2][row]
        else:
            for side in range(4):
                box[side] = _within(<float> sides[side][row], least, largest)
            if box[2] > 0 and box[3] > 0:
                bottom = box[1] + box[3]
                if bottom > lowest:
                    lowest = bottom
                elif bottom != bottom:
                    is_known = False
        box += 4
    return found, <double> lowest if is_known else float("nan")


cdef inline float _within(float number, float least, float most) noexcept:
    # Comparisons with NaN are false, so that it stays.
    return least if number < least else most if number > most else number
