cimport cython

cdef class ColumnStore:
    cdef Py_ssize_t chunk, used_doubles, used_ints, used_codes, room_for_doubles, room_for_ints, room_for_codes
    cdef double[::1] double_memory
    cdef int[::1] int_memory
    cdef signed char[::1] code_memory

    @cython.locals(first=Py_ssize_t, column=cython.double[::1])
    cdef double[::1] doubles(self, Py_ssize_t count)
    @cython.locals(first=Py_ssize_t, column=cython.int[::1])
    cdef int[::1] ints(self, Py_ssize_t count)
    @cython.locals(first=Py_ssize_t, column="signed char[::1]")
    cdef signed char[::1] codes(self, Py_ssize_t count)
    @cython.locals(column=cython.double[::1], n=Py_ssize_t)
    cdef double[::1] filled_doubles(self, Py_ssize_t count, double value)
    @cython.locals(column=cython.int[::1], n=Py_ssize_t)
    cdef int[::1] filled_ints(self, Py_ssize_t count, int value)
    @cython.locals(column="signed char[::1]", n=Py_ssize_t)
    cdef signed char[::1] filled_codes(self, Py_ssize_t count, signed char value)
