cimport cython

cdef int TABLED, PUNCTUATION_FROM, PUNCTUATION_TO, IDEOGRAPHS, BLANK, END, HYPHEN
cdef int _NOTHING, _LETTER, _HYPHEN, _WIDE
cdef bytes _IS_LETTER

@cython.locals(
    part=int, leaf=int, face=int, other=int, begin=int, n=int, code=int, reach=double, font=double, extra=double,
    before=double, width=double, most=double, state=int, is_gap=bint, is_wide=bint, text=str, letter=Py_UCS4,
)
cpdef int find_unbreakable_runs(
    list texts, const double[:, ::1] widths, const signed char[::1] faces, const double[:, ::1] fonts,
    double[:, ::1] parts, double[:, ::1] of_text, int[::1] first,
) except -1
