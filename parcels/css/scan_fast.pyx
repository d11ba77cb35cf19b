"""What `parcels.css.scan_plain` says of sheets by regular expressions, character by character in C: the same, sooner."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from parcels.css.signs cimport (
    PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, is_space
)

from parcels.css.scan_plain import escaped

cdef enum:
    LONG = 200  # see scan_plain
    MAX_VALUE = 4000
    MAX_DECLARATIONS = 2000


cdef unsigned char[128] _IS_UNCLEAN
for _sign in range(128):
    _IS_UNCLEAN[_sign] = chr(_sign) in "/\"'u\\"

ctypedef fused Sign:  # a character, by how many bytes those of its text have
    uint8_t
    uint16_t
    uint32_t


cdef Py_ssize_t _find_unclean(const Sign* signs, Py_ssize_t at, Py_ssize_t end) noexcept:
    while at < end and (signs[at] > 127 or not _IS_UNCLEAN[signs[at]]):
        at += 1
    return at


cdef Py_ssize_t _find_brace(const Sign* signs, Py_ssize_t at, Py_ssize_t end) noexcept:
    while at < end and signs[at] != 123 and signs[at] != 125:
        at += 1
    return at


cdef Py_ssize_t _find_sign(const Sign* signs, Py_ssize_t at, Py_ssize_t end, Sign wanted) noexcept:
    while at < end and signs[at] != wanted:
        at += 1
    return at


cdef Py_ssize_t _opened(const Sign* signs, Py_ssize_t end) noexcept:
    cdef Py_ssize_t at, count = 0
    for at in range(end):
        count += (signs[at] == 123) - (signs[at] == 125)
    return count


cdef bint _has_comment(const Sign* signs, Py_ssize_t end) noexcept:
    cdef Py_ssize_t at
    for at in range(end - 2):
        if signs[at + 1] == 45 and (
            (signs[at] == 45 and signs[at + 2] == 62)
            or (at > 0 and signs[at] == 33 and signs[at - 1] == 60 and signs[at + 2] == 45)
        ):
            return True
    return False


cdef Py_ssize_t next_unclean(int kind, void* data, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next comment, string, address or escape may begin, or the end."""
    if kind == 1:
        return _find_unclean(<const uint8_t*> data, at, end)
    if kind == 2:
        return _find_unclean(<const uint16_t*> data, at, end)
    return _find_unclean(<const uint32_t*> data, at, end)


cdef Py_ssize_t next_brace(int kind, void* data, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next brace stands, or the end."""
    if kind == 1:
        return _find_brace(<const uint8_t*> data, at, end)
    if kind == 2:
        return _find_brace(<const uint16_t*> data, at, end)
    return _find_brace(<const uint32_t*> data, at, end)


cdef Py_ssize_t next_star(int kind, void* data, Py_ssize_t at, Py_ssize_t end) noexcept:
    """Where the next star stands, or the end."""
    if kind == 1:
        return _find_sign(<const uint8_t*> data, at, end, 42)
    if kind == 2:
        return _find_sign(<const uint16_t*> data, at, end, 42)
    return _find_sign(<const uint32_t*> data, at, end, 42)


def unclosed(str text):
    """How many braces are opened beyond those that are closed."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1:
        return _opened(<const uint8_t*> data, len(text))
    if kind == 2:
        return _opened(<const uint16_t*> data, len(text))
    return _opened(<const uint32_t*> data, len(text))


def has_html_comment(str text):
    """Whether a sign stands in the text that begins or ends a comment of HTML."""
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if kind == 1:
        return _has_comment(<const uint8_t*> data, len(text))
    if kind == 2:
        return _has_comment(<const uint16_t*> data, len(text))
    return _has_comment(<const uint32_t*> data, len(text))


def without_comments(str text):
    """The text without comments, braces and semicolons inside strings and addresses escaped."""
    cdef Py_ssize_t at = 0, start, kept = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign, inner
    cdef bint is_special, has_bracket = True
    cdef list parts = None
    while at < length:
        at = next_unclean(kind, data, at, length)
        if at == length:
            break
        sign = PyUnicode_READ(kind, data, at)
        start = at
        is_special = False
        if sign == 47:  # / of a comment
            if at + 1 >= length or PyUnicode_READ(kind, data, at + 1) != 42:
                at += 1
                continue
            at = next_star(kind, data, at + 2, length)
            while at + 1 < length and PyUnicode_READ(kind, data, at + 1) != 47:
                at = next_star(kind, data, at + 1, length)
            at = min(at + 2, length)
            if parts is None:
                parts = []
            parts.append(PyUnicode_Substring(text, kept, start))
            kept = at
            continue
        if sign == 34 or sign == 39:  # a string
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
                if parts is None:
                    parts = []
                parts.append(PyUnicode_Substring(text, kept, start))
                parts.append(escaped(PyUnicode_Substring(text, start, at)))
                kept = at
            continue
        if sign == 92:  # a backslash before a brace or a semicolon
            at += 1
            if at < length:
                inner = PyUnicode_READ(kind, data, at)
                if inner == 123 or inner == 125 or inner == 59:
                    at += 1
                    if parts is None:
                        parts = []
                    parts.append(PyUnicode_Substring(text, kept, start))
                    parts.append(escaped(PyUnicode_Substring(text, start + 1, at)))
                    kept = at
            continue
        # u of an address without quotes
        if (
            not has_bracket
            or at + 3 >= length
            or PyUnicode_READ(kind, data, at + 1) != 114
            or PyUnicode_READ(kind, data, at + 2) != 108
            or PyUnicode_READ(kind, data, at + 3) != 40
        ):
            at += 1
            continue
        at += 4
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
            at = start + 1
            continue
        if is_special or at - start > LONG:
            if parts is None:
                parts = []
            parts.append(PyUnicode_Substring(text, kept, start))
            if at - start > LONG:
                parts.append("url(data:)")
            else:
                parts.append(escaped(PyUnicode_Substring(text, start, at)))
            kept = at
    if parts is None:
        return text
    parts.append(PyUnicode_Substring(text, kept, length))
    return "".join(parts)


def blocks(str text, Py_ssize_t end):
    """What stands before each block, the block where there is none inside it, else the brace, and where it ends."""
    cdef Py_ssize_t at = 0, start, body
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    end = min(end, <Py_ssize_t>len(text))
    while at < end:
        start = at
        at = next_brace(kind, data, at, end)
        if at == end:
            return
        body = at + 1
        if PyUnicode_READ(kind, data, at) == 125:
            at = body
            yield PyUnicode_Substring(text, start, at - 1), None, "}", at
            continue
        at = next_brace(kind, data, body, end)
        if at < end and PyUnicode_READ(kind, data, at) == 125:
            at += 1
            yield PyUnicode_Substring(text, start, body - 1), PyUnicode_Substring(text, body, at - 1), None, at
        else:
            at = body
            yield PyUnicode_Substring(text, start, body - 1), None, "{", at


def pairs(str text, dict known):
    """Names and values of those declarations of a block whose names are known, or custom ones; values as they stand."""
    cdef Py_ssize_t at = 0, start, colon, end, stop, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef int count = 0
    cdef list found = []
    cdef str name
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
        name = PyUnicode_Substring(text, start, end)
        if name not in known and not (
            end - start >= 2
            and PyUnicode_READ(kind, data, start) == 45
            and PyUnicode_READ(kind, data, start + 1) == 45
        ):
            name = name.lower()
            if name not in known:
                continue
        start = colon + 1
        while start < stop and is_space(PyUnicode_READ(kind, data, start)):
            start += 1
        while start < stop and is_space(PyUnicode_READ(kind, data, stop - 1)):
            stop -= 1
        found.append((name, PyUnicode_Substring(text, start, stop)))
    return found
