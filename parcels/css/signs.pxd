"""What the scanners ask of one character."""

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t at)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)


cdef inline bint is_word(Py_UCS4 sign):
    """A character of a name: a hyphen, or what regular expressions call a word character."""
    if sign < 128:
        return 97 <= sign <= 122 or 48 <= sign <= 57 or sign == 45 or sign == 95 or 65 <= sign <= 90
    return sign.isalnum()


cdef inline bint is_space(Py_UCS4 sign):
    if sign < 128:
        return sign == 32 or 9 <= sign <= 13 or 28 <= sign <= 31
    return sign.isspace()
