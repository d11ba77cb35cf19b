cimport cython
from parcels.maps cimport StringMap

cdef dict _known_common, _terms
cdef KnownRuns _known
cdef int LEAST_LETTERS, MOST_LETTERS, MAX_CHUNK, MOST_KNOWN, MOST_CHARACTERS


cdef class KnownRuns:
    cdef StringMap runs
    cdef list terms
    cdef Py_ssize_t characters
    cdef object lock

    @cython.locals(number=int)
    cdef tuple of(self, str text, Py_ssize_t first, Py_ssize_t end)
    cdef tuple _met(self, str chunk)


cpdef forget()
cpdef tuple chunk_terms(str chunk)
cpdef tuple _of_chunk(str chunk)
cdef tuple _common_terms(str chunk)
cpdef tuple _of_word(str word)
@cython.locals(collected=list, known=KnownRuns, at=Py_ssize_t, size=Py_ssize_t, first=Py_ssize_t)
cpdef list terms(str text)
cpdef list label_terms(str text)

cdef class LeafTerms:
    cdef public list texts
    cdef list _terms
    cpdef list of(self, int leaf)
    @cython.locals(leaf=int, collected=list)
    cpdef list all(self)
    cpdef list labels(self, int first, int end, int most)
    cpdef list around(self, int start, int first, int end, int stop, int most)
