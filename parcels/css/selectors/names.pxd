cimport cython
from parcels.maps cimport StringMap


@cython.final
cdef class Names:
    cdef readonly frozenset all
    cdef list _texts
    cdef StringMap _numbers

    @cython.locals(at=Py_ssize_t, sign=cython.Py_UCS4, number=int, name=str)
    cpdef str find(self, str text, Py_ssize_t start, Py_ssize_t end, bint is_tag)
