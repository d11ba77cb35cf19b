"""What `parcels.css.scan_plain` says of sheets by regular expressions, character by character in C: the same, sooner."""

from cpython.array cimport array, clone, resize
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memcmp, memset

cdef extern from "Python.h":
    object PyMemoryView_FromMemory(char* start, Py_ssize_t size, int flags)
    int PyBUF_READ

from parcels.css.signs cimport (
    PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, is_space
)

from parcels.css.scan_plain import escaped

cdef enum:
    LONG = 200  # see scan_plain
    MAX_VALUE = 4000
    MAX_DECLARATIONS = 2000
    NAME_SLOTS = 1024  # a power of two


cdef unsigned char[256] _IS_SIGN  # what may begin a comment, string, address or escape, and braces
for _sign in range(256):
    _IS_SIGN[_sign] = chr(_sign) in "/\"'(\\{}\0"  # and what stands behind the last character of every text
cdef array _NONE = array("i")

ctypedef fused Sign:  # a character, by how many bytes those of its text have
    uint8_t
    uint16_t
    uint32_t


cdef Py_ssize_t _find(const Sign* signs, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next sign stands, or the end, which is that of the whole text: no need to ask for it at every step."""
    while True:
        if Sign is uint8_t:
            while not _IS_SIGN[signs[at]]:
                at += 1
        else:
            while signs[at] > 255 or not _IS_SIGN[signs[at]]:
                at += 1
        if signs[at] or at >= end:
            return at
        at += 1


cdef Py_ssize_t _find_star(const Sign* signs, Py_ssize_t at, Py_ssize_t end) noexcept:
    while at < end and signs[at] != 42:
        at += 1
    return at


cdef bint _has_comment(const Sign* signs, Py_ssize_t end) noexcept:
    cdef Py_ssize_t at
    for at in range(end - 2):
        if signs[at + 1] == 45 and (
            (signs[at] == 45 and signs[at + 2] == 62)
            or (at > 0 and signs[at] == 33 and signs[at - 1] == 60 and signs[at + 2] == 45)
        ):
            return True
    return False


cdef bint _has_comment_in_bytes(const char* signs, size_t end) noexcept:
    """The same where a character is a byte: by the sign that only few sheets have, and the one that few have often."""
    cdef const char* at = <const char*> memchr(signs, 60, end)
    while at is not NULL:
        if signs + end - at >= 4 and memcmp(at, b"<!--", 4) == 0:
            return True
        at = <const char*> memchr(at + 1, 60, signs + end - at - 1)
    at = <const char*> memchr(signs, 62, end)
    while at is not NULL:
        if at - signs >= 2 and at[-1] == 45 and at[-2] == 45:
            return True
        at = <const char*> memchr(at + 1, 62, signs + end - at - 1)
    return False


cdef Py_ssize_t _next_sign(int kind, void* data, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next comment, string, address or escape may begin, or a brace stands, or the end."""
    if kind == 1:
        return _find(<const uint8_t*> data, at, end)
    if kind == 2:
        return _find(<const uint16_t*> data, at, end)
    return _find(<const uint32_t*> data, at, end)


cdef Py_ssize_t _next_star(int kind, void* data, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next star stands, or the end."""
    if kind == 1:
        return _find_star(<const uint8_t*> data, at, end)
    if kind == 2:
        return _find_star(<const uint16_t*> data, at, end)
    return _find_star(<const uint32_t*> data, at, end)


def has_html_comment(str text):
    """Whether a sign stands in the text that begins or ends a comment of HTML."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1:
        return _has_comment_in_bytes(<const char*> data, len(text))
    if kind == 2:
        return _has_comment(<const uint16_t*> data, len(text))
    return _has_comment(<const uint32_t*> data, len(text))


def in_memory(str text):
    """What tells a text from all others: its own bytes, which are there as long as it is, and how many a character has."""
    cdef int kind = PyUnicode_KIND(text)
    return PyMemoryView_FromMemory(<char*> PyUnicode_DATA(text), len(text) * kind, PyBUF_READ), kind


def without_comments(str text):
    """The text without comments, braces and semicolons inside strings and addresses escaped."""
    return _cleaned(text, None, NULL)


def braces(str text):
    """The same, where its braces stand, and how many are opened beyond those that are closed."""
    cdef array found = clone(_NONE, len(text) // 64 + 64, False)
    cdef Py_ssize_t opened = 0
    text = _cleaned(text, found, &opened)
    return text, found, opened


cdef str _cleaned(str text, array found, Py_ssize_t* opened):
    cdef Py_ssize_t at = 0, start, kept = 0, length = len(text)
    cdef Py_ssize_t moved = 0  # how much further behind a character stands than in what was put together so far
    cdef Py_ssize_t count = 0, room = len(found) if found is not None else 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign, inner
    cdef bint is_special, has_bracket = True
    cdef list parts = None
    cdef str part
    while at < length:
        at = _next_sign(kind, data, at, length)
        if at == length:
            break
        sign = PyUnicode_READ(kind, data, at)
        if sign == 123 or sign == 125:  # a brace
            if room:
                if count == room:
                    room *= 2
                    resize(found, room)
                found.data.as_ints[count] = <int> (at - moved)
                count += 1
                opened[0] += 1 if sign == 123 else -1
            at += 1
            continue
        if sign == 40 and (  # the bracket of an address without quotes
            not has_bracket
            or at < kept + 3
            or PyUnicode_READ(kind, data, at - 1) != 108
            or PyUnicode_READ(kind, data, at - 2) != 114
            or PyUnicode_READ(kind, data, at - 3) != 117
        ):
            at += 1
            continue
        start = at
        is_special = False
        part = None
        if sign == 47:  # / of a comment
            if at + 1 >= length or PyUnicode_READ(kind, data, at + 1) != 42:
                at += 1
                continue
            at = _next_star(kind, data, at + 2, length)
            while at + 1 < length and PyUnicode_READ(kind, data, at + 1) != 47:
                at = _next_star(kind, data, at + 1, length)
            at = min(at + 2, length)
            part = ""
        elif sign == 34 or sign == 39:  # a string
            at += 1
            while at < length:
                inner = PyUnicode_READ(kind, data, at)
                if inner == sign:
                    at += 1
                    break
                if inner == 10:
                    break
                if inner == 92:
                    if at + 1 >= length:
                        break
                    inner = PyUnicode_READ(kind, data, at + 1)
                    at += 1
                if inner == 123 or inner == 125 or inner == 59:
                    is_special = True
                at += 1
            if is_special:
                part = escaped(PyUnicode_Substring(text, start, at))
        elif sign == 92:  # a backslash before a brace or a semicolon
            at += 1
            if at < length:
                inner = PyUnicode_READ(kind, data, at)
                if inner == 123 or inner == 125 or inner == 59:
                    at += 1
                    part = escaped(PyUnicode_Substring(text, start + 1, at))
        else:
            start -= 3
            at += 1
            while at < length and is_space(PyUnicode_READ(kind, data, at)):
                at += 1
            if at < length and (PyUnicode_READ(kind, data, at) == 34 or PyUnicode_READ(kind, data, at) == 39):
                continue
            while at < length:
                inner = PyUnicode_READ(kind, data, at)
                at += 1
                if inner == 41:
                    break
                if inner == 123 or inner == 125 or inner == 59:
                    is_special = True
            else:
                has_bracket = False  # and so for all that follow
                at = start + 4
                continue
            if at - start > LONG:
                part = "url(data:)"
            elif is_special:
                part = escaped(PyUnicode_Substring(text, start, at))
        if part is not None:
            if parts is None:
                parts = []
            parts.append(PyUnicode_Substring(text, kept, start))
            parts.append(part)
            moved += at - start - len(part)
            kept = at
    if room:
        resize(found, count)
    if parts is None:
        return text
    parts.append(PyUnicode_Substring(text, kept, length))
    return "".join(parts)


cdef class _Names:
    """The names of properties, found without making a string: by the place that their letters lead to."""

    cdef dict known
    cdef list kept  # holds the names that the slots point to
    cdef PyObject* slots[NAME_SLOTS]
    cdef bint is_full  # more names than there is room for: they are looked up as strings

    def __cinit__(self, dict known):
        cdef Py_ssize_t at
        cdef uint32_t slot
        memset(self.slots, 0, sizeof(self.slots))
        self.known, self.kept = known, list(known)
        self.is_full = len(known) > NAME_SLOTS // 2
        for name in self.kept:
            if self.is_full or not name.isascii() or name != name.lower():
                self.is_full = True
                return
            slot = 0
            for at in range(len(name)):
                slot = slot * 31 + <uint32_t> ord(name[at])
            while self.slots[slot % NAME_SLOTS] is not NULL:
                slot += 1
            self.slots[slot % NAME_SLOTS] = <PyObject*> name

    cdef str found(self, str text, int kind, void* data, Py_ssize_t start, Py_ssize_t end):
        """The property of a name in any case, or a custom one; None for what is neither."""
        cdef uint32_t slot = 0
        cdef Py_ssize_t at
        cdef const uint8_t* signs = <const uint8_t*> data
        cdef str name
        if end - start >= 2 and PyUnicode_READ(kind, data, start) == 45 and PyUnicode_READ(kind, data, start + 1) == 45:
            return PyUnicode_Substring(text, start, end)
        if kind != 1 or self.is_full:
            name = PyUnicode_Substring(text, start, end)
            if name not in self.known:
                name = name.lower()
            return name if name in self.known else None
        for at in range(start, end):
            slot = slot * 31 + (signs[at] + 32 if 65 <= signs[at] <= 90 else signs[at])
        while self.slots[slot % NAME_SLOTS] is not NULL:
            name = <str> self.slots[slot % NAME_SLOTS]
            if len(name) == end - start and _are_alike(signs + start, name):
                return name
            slot += 1
        return None


cdef bint _are_alike(const uint8_t* signs, str name) noexcept:
    """Whether letters are those of a name in lower case, whatever their own."""
    cdef const uint8_t* wanted = <const uint8_t*> PyUnicode_DATA(name)
    cdef Py_ssize_t at
    for at in range(len(name)):
        if (signs[at] + 32 if 65 <= signs[at] <= 90 else signs[at]) != wanted[at]:
            return False
    return True


cdef _Names _names = _Names({})  # of the last call: it is always the same dict


cpdef list pairs(str text, dict known):
    """Names and values of those declarations of a block whose names are known, or custom ones; values as they stand."""
    global _names
    cdef Py_ssize_t at = 0, start, colon, end, stop, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef int count = 0
    cdef list found = []
    cdef str name
    if _names.known is not known:
        _names = _Names(known)
    while at <= length:
        start = at
        colon = -1
        while at < length:
            sign = PyUnicode_READ(kind, data, at)
            if sign == 59:
                if count < MAX_DECLARATIONS:
                    break
            elif sign == 58 and colon < 0:
                colon = at
            at += 1
        stop = at
        at += 1
        count += 1
        if colon < 0 or stop - colon - 1 > MAX_VALUE:
            continue
        end = colon
        while start < end and is_space(PyUnicode_READ(kind, data, start)):
            start += 1
        while start < end and is_space(PyUnicode_READ(kind, data, end - 1)):
            end -= 1
        name = _names.found(text, kind, data, start, end)
        if name is None:
            continue
        start = colon + 1
        while start < stop and is_space(PyUnicode_READ(kind, data, start)):
            start += 1
        while start < stop and is_space(PyUnicode_READ(kind, data, stop - 1)):
            stop -= 1
        found.append((name, PyUnicode_Substring(text, start, stop)))
    return found
