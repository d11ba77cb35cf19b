"""The compiled half of parcels/scan.py."""

from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memcpy

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4) noexcept nogil
    int PyUnicode_KIND(object) noexcept
    const void* PyUnicode_DATA(object) noexcept
    Py_UCS4 PyUnicode_READ(int, const void*, Py_ssize_t) noexcept


def fold(str text not None):
    """Text with every run of white space as one blank, none at the ends."""
    cdef Py_ssize_t start = 0, end = len(text), at
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* signs = PyUnicode_DATA(text)
    cdef const unsigned char* bytes_ = <const unsigned char*> signs
    cdef bint is_blank, was_blank = False
    cdef Py_UCS4 sign
    while start < end and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, signs, start)):
        start += 1
    while end > start and Py_UNICODE_ISSPACE(PyUnicode_READ(kind, signs, end - 1)):
        end -= 1
    if start == end:
        return ""
    for at in range(start, end):
        if kind == 1:  # most texts: one byte a sign, and few of them up to the blank
            sign = bytes_[at]
            is_blank = sign <= 0x20 and Py_UNICODE_ISSPACE(sign) or sign == 0x85 or sign == 0xA0
        else:
            sign = PyUnicode_READ(kind, signs, at)
            is_blank = Py_UNICODE_ISSPACE(sign)
        if is_blank and (was_blank or sign != 0x20):
            return " ".join(text.split())
        was_blank = is_blank
    return PyUnicode_Substring(text, start, end)


def find(bytes data not None, bytes wanted not None, Py_ssize_t rare):
    """What `data.find(wanted)` gives: the rare byte is looked for, then the others around it."""
    cdef const unsigned char* begin = data
    cdef const unsigned char* needle = wanted
    cdef const unsigned char* found
    cdef Py_ssize_t size = len(wanted), at = rare
    cdef Py_ssize_t end = len(data) - size + rare + 1  # behind the last place where the rare byte can stand
    if not 0 <= rare < size:
        raise ValueError("parcels: `rare` must be the place of one of the wanted bytes")
    while at < end:
        found = <const unsigned char*> memchr(begin + at, needle[rare], end - at)
        if found is NULL:
            return -1
        if memcmp(found - rare, needle, size) == 0:
            return found - begin - rare
        at = found - begin + 1
    return -1


def is_utf8(bytes data not None):
    """Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF (Unicode, table 3-7)."""
    cdef const unsigned char* at = data
    cdef const unsigned char* end = at + len(data)
    cdef unsigned char first, low, high
    cdef uint64_t eight[4]
    cdef int more
    while at < end:
        while end - at >= 32:
            memcpy(eight, at, 32)
            if (eight[0] | eight[1] | eight[2] | eight[3]) & <uint64_t> 0x8080808080808080:
                break
            at += 32
        while at < end and at[0] < 0x80:
            at += 1
        if at == end:
            return True
        first = at[0]
        low, high = 0x80, 0xBF
        if 0xC2 <= first <= 0xDF:
            more = 1
        elif 0xE0 <= first <= 0xEF:
            more = 2
            if first == 0xE0:
                low = 0xA0
            elif first == 0xED:
                high = 0x9F
        elif 0xF0 <= first <= 0xF4:
            more = 3
            if first == 0xF0:
                low = 0x90
            elif first == 0xF4:
                high = 0x8F
        else:
            return False
        if end - at <= more or at[1] < low or at[1] > high:
            return False
        if more > 1 and at[2] & 0xC0 != 0x80:
            return False
        if more > 2 and at[3] & 0xC0 != 0x80:
            return False
        at += more + 1
    return True
