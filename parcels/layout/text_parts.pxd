cimport cython

from parcels.layout cimport column_pointers as columns

cdef int TABLED, PUNCTUATION_FROM, PUNCTUATION_TO, IDEOGRAPHS, BLANK, END, HYPHEN
cdef int _NOTHING, _LETTER, _HYPHEN, _WIDE
cdef bytes _IS_LETTER

@cython.locals(
    part=int, leaf=int, row=int, begin=int, n=int, code=int, reach=double, font=double, extra=double, before=double,
    width=double, most=double, state=int, is_gap=bint, is_wide=bint, text=str,
    letter=Py_UCS4,
)
cpdef int find_parts(list texts, widths, int stride, face, size, spacing, found, of_leaf, first)
