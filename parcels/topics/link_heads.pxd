cimport cython

cdef class Head:
    cdef double[::1] inputs, input_squares, marks, mark_squares
    @cython.locals(total=double, of_marks=double, number=double, place=int, mark=int)
    cpdef double log_odds(self, tuple numbers, tuple siblings, tuple marks)
    @cython.locals(slope=double, step=double, number=double, place=int, mark=int)
    cpdef object learn(self, tuple numbers, tuple siblings, tuple marks, double outcome, double rate)

cpdef double chance_of(double odds)
