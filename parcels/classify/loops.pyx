# cython: wraparound=False, cdivision=True
"""The loops over what a model says of blocks, which NumPy can only do in many passes; their callers say what they mean."""

from libc.math cimport rint


def best(list labels, const double[:, ::1] proba, int digits):
    """The label of each row's largest number, and that number, rounded as NumPy rounds (model.Prediction.best)."""
    cdef Py_ssize_t row, at, place
    cdef double most, scale = 10**digits
    cdef list found = [None] * proba.shape[0]
    for row in range(proba.shape[0]):
        place, most = 0, proba[row, 0]
        for at in range(1, proba.shape[1]):
            if most != most:  # NumPy takes the first NaN
                break
            if proba[row, at] > most or proba[row, at] != proba[row, at]:
                place, most = at, proba[row, at]
        found[row] = (labels[place], rint(most * scale) / scale)
    return found
