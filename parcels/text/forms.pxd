cimport cython
from parcels.maps cimport StringMap

cdef int LISTS, VOCABULARIES


cpdef str normalize(str word)
@cython.locals(at=Py_ssize_t, letter=Py_UCS4, has_alpha=bint, has_digit=bint, has_any=bint, is_address=bint)
cpdef str shape(str word)
cdef Py_ssize_t _from(Py_ssize_t size, Py_ssize_t letters) noexcept


@cython.final
cdef class TagForms:
    cdef StringMap forms, suffixes, prefixes, form_suffixes
    cdef int[::1] lists
    cdef Py_ssize_t[::1] vocabulary
    cdef long long[::1] first

    @cython.locals(word=str, form=str, row=Py_ssize_t, table=Py_ssize_t, size=Py_ssize_t, keys=cython.int[::1])
    cpdef fill(self, list words, list forms, int[:, ::1] rows)


@cython.final
cdef class NameForms:
    cdef StringMap words, suffixes, prefixes, suffixes2
    cdef dict lists, shapes
    cdef object is_mail
    cdef Py_ssize_t none, mail
    cdef Py_ssize_t[::1] vocabulary
    cdef long long[::1] first

    @cython.locals(
        word=str, low=str, row=Py_ssize_t, table=Py_ssize_t, size=Py_ssize_t, lists=Py_ssize_t, shape_number=Py_ssize_t,
    )
    cpdef fill(self, list words, int[:, ::1] rows)
