cimport cython

from parcels.features.name_words cimport first_words, letter_runs, words_of_name


cdef class _NamesAround:
    cdef list _parent, _attributes
    cdef dict _bare, _above
    @cython.locals(found=list)
    cpdef list parts(self, Py_ssize_t container)
    @cython.locals(found=list, parent=Py_ssize_t, row=Py_ssize_t, left=Py_ssize_t, bare=tuple)
    cpdef list above(self, Py_ssize_t container)
    @cython.locals(words=tuple)
    cpdef tuple bare(self, Py_ssize_t row)


@cython.locals(parts=list, around=_NamesAround, block=Py_ssize_t, leaf=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t,
               target_of=list, kinds=list, found=list, heading=list)
cpdef list name_parts(page)
