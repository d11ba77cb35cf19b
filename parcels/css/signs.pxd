"""What the scanners ask of one character."""

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t at)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)


cdef inline bint is_space(Py_UCS4 sign):
    if sign < 128:
        return sign == 32 or 9 <= sign <= 13 or 28 <= sign <= 31
    return sign.isspace()
