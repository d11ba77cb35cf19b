from parcels.topics.cleaning cimport LeafTerms

cdef class _Finder:
    cdef public object page, laid
    cdef public LeafTerms terms
    cdef public double height
    cdef public list texts, tags, tag, parent, first_leaf, end_leaf, headings, chars, in_links, areas, tops
    cdef public dict heading_terms, densities
    cpdef list places(self, list rows, object is_wanted)
    cpdef int nearest(self, int row, list wanted)
    cpdef object place(self, int row, str target, int item, int group, int count)
    cpdef object density(self, int group)
    cpdef tuple on_screen(self, int row, int first, int end)
    cpdef tuple heading(self, int row)
