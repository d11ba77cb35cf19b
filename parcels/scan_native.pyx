"""The compiled half of parcels/scan.py."""

from cpython.unicode cimport PyUnicode_Substring
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcmp, memcpy

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4) noexcept nogil
    bint PyUnicode_IS_ASCII(object) noexcept
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
    if PyUnicode_IS_ASCII(text):
        if _is_folded(bytes_ + start, bytes_ + end):
            return PyUnicode_Substring(text, start, end)
        return " ".join(text.split())
    for at in range(start, end):
        if kind == 1:  # one byte a sign, and few of them up to the blank
            sign = bytes_[at]
            is_blank = sign <= 0x20 and Py_UNICODE_ISSPACE(sign) or sign == 0x85 or sign == 0xA0
        else:
            sign = PyUnicode_READ(kind, signs, at)
            is_blank = Py_UNICODE_ISSPACE(sign)
        if is_blank and (was_blank or sign != 0x20):
            return " ".join(text.split())
        was_blank = is_blank
    return PyUnicode_Substring(text, start, end)


cdef bint _is_folded(const unsigned char* at, const unsigned char* end) noexcept:
    """Whether ASCII text that neither begins nor ends with a blank has no two in a row, and nothing below them.

    Eight bytes are looked at in one go, the last of which is the first of the next ones: no pair is missed.
    """
    cdef uint64_t word, blanks
    cdef const unsigned char* last = end - 8
    if last < at:
        while at < end:
            if at[0] < 0x20 or at[0] == 0x20 and at[1] == 0x20:
                return False
            at += 1
        return True
    while True:
        memcpy(&word, at, 8)
        if (word - <uint64_t> 0x2020202020202020) & ~word & <uint64_t> 0x8080808080808080:
            return False
        word ^= <uint64_t> 0x2020202020202020
        blanks = ~(word + <uint64_t> 0x7F7F7F7F7F7F7F7F) & <uint64_t> 0x8080808080808080
        if blanks & blanks << 8:
            return False
        if at == last:
            return True
        at = at + 7 if last - at > 7 else last


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
        if found[size - 1 - rare] == needle[size - 1] and memcmp(found - rare, needle, size) == 0:
            return found - begin - rare
        at = found - begin + 1
    return -1


def find_small(bytes data not None, bytes wanted not None, Py_ssize_t start):
    """What `data.lower().find(wanted, start)` gives, for a start that is not negative."""
    cdef const unsigned char* begin = data
    cdef const unsigned char* needle = wanted
    cdef const unsigned char* found
    cdef Py_ssize_t size = len(wanted), at = start, n
    cdef Py_ssize_t end = len(data) - size + 1  # behind the last place where they can stand
    cdef unsigned char sign
    if start < 0 or not size or b"a" <= wanted[:1] <= b"z":
        raise ValueError("parcels: the wanted bytes must not begin with a letter, nor the search before the data")
    while at < end:
        found = <const unsigned char*> memchr(begin + at, needle[0], end - at)
        if found is NULL:
            return -1
        for n in range(1, size):
            sign = found[n]
            if sign >= 0x41 and sign <= 0x5A:
                sign |= 0x20
            if sign != needle[n]:
                break
        else:
            return found - begin
        at = found - begin + 1
    return -1


def tag_count(bytes data not None, Py_ssize_t most):
    """How many times `<` is followed by a letter, up to a number."""
    cdef const unsigned char* at = data
    cdef const unsigned char* end = at + len(data)
    cdef Py_ssize_t count = 0
    while count < most:
        at = <const unsigned char*> memchr(at, 0x3C, end - at)
        if at is NULL or end - at < 2:
            break
        at += 1
        if 0x61 <= (at[0] | 0x20) <= 0x7A:
            count += 1
    return count


def control_count(bytes data not None, Py_ssize_t size):
    """How many of the first bytes are control characters, but white space and the escape of a few charsets."""
    cdef const unsigned char* signs = data
    cdef int at, count = 0, end = <int> max(0, min(size, len(data), 1 << 30))
    for at in range(end):
        count += (signs[at] < 0x09) | ((signs[at] > 0x0D) & (signs[at] < 0x20) & (signs[at] != 0x1B))
    return count


def is_utf8(bytes data not None):
    """Whether the bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF (Unicode, table 3-7)."""
    cdef const unsigned char* at = data
    cdef const unsigned char* end = at + len(data)
    cdef unsigned char first, low, high
    cdef uint64_t words[8]
    cdef int more
    while at < end:
        while end - at >= 64:
            memcpy(words, at, 64)
            if (
                words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7]
            ) & <uint64_t> 0x8080808080808080:
                break
            at += 64
        while end - at >= 8:
            memcpy(words, at, 8)
            if words[0] & <uint64_t> 0x8080808080808080:
                break
            at += 8
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
