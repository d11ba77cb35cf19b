cdef dict _known, _known_common, _terms
cdef object _table
cdef int LEAST_LETTERS, MOST_LETTERS

cpdef tuple chunk_terms(str chunk)
cpdef tuple _remembered(str chunk)
cpdef tuple _of_chunk(str chunk)
cdef tuple _common_terms(str chunk)
cpdef tuple _of_word(str word)
cpdef list terms(str text)
cpdef list label_terms(str text)

cdef class LeafTerms:
    cdef public list texts
    cdef list _terms
    cpdef list of(self, int leaf)
    cpdef list all(self)
    cpdef list labels(self, int first, int end, int most)
    cpdef list around(self, int start, int first, int end, int stop, int most)
