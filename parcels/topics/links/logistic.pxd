cimport cython
from libc cimport math
from parcels.topics.links.rows cimport LinkRow
from parcels.topics.links.tallies cimport Tallies

cdef class OnlineLogistic:
    cdef double[::1] inputs, input_squares, marks, mark_squares
    @cython.locals(total=double, of_marks=double, number=double, most=double, place=int, mark=int)
    cpdef double log_odds(self, tuple numbers, tuple siblings, tuple marks)
    @cython.locals(slope=double, step=double, number=double, shrink=double, place=int, mark=int)
    cpdef object learn(self, tuple numbers, tuple siblings, tuple marks, double outcome, double rate)

cpdef double chance_of(double odds)
@cython.locals(numbers=tuple, siblings=tuple, marks=tuple, probabilities=list, row=LinkRow)
cpdef list scored(OnlineLogistic one, OnlineLogistic other, object rows, Tallies tallies)
