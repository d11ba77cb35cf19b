"""What `parcels.css.scan_plain` says by regular expressions, character by character in C: the same answers, sooner."""

from parcels.css.scan_plain import escaped

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t at)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)

cdef enum:
    LONG = 200  # see scan_plain
    PASSED_OVER = 0
    PLAIN_LIST = 1
    OTHER_LIST = 2
    MAX_VALUE = 4000
    MAX_DECLARATIONS = 2000


cdef inline bint is_word(Py_UCS4 sign):
    """A character of a name: a hyphen, or what regular expressions call a word character."""
    if sign < 128:
        return 97 <= sign <= 122 or 48 <= sign <= 57 or sign == 45 or sign == 95 or 65 <= sign <= 90
    return sign.isalnum()


cdef inline bint is_space(Py_UCS4 sign):
    if sign < 128:
        return sign == 32 or 9 <= sign <= 13 or 28 <= sign <= 31
    return sign.isspace()


def without_comments(str text):
    """The text without comments, braces and semicolons inside strings and addresses escaped."""
    cdef Py_ssize_t at = 0, start, kept = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign, inner
    cdef bint is_special, has_bracket = True
    cdef list parts = None
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        if sign > 117 or (sign != 47 and sign != 34 and sign != 39 and sign != 117 and sign != 92):
            at += 1
            continue
        start = at
        is_special = False
        if sign == 47:  # / of a comment
            if at + 1 >= length or PyUnicode_READ(kind, data, at + 1) != 42:
                at += 1
                continue
            at += 2
            while at < length and not (
                PyUnicode_READ(kind, data, at) == 42
                and at + 1 < length
                and PyUnicode_READ(kind, data, at + 1) == 47
            ):
                at += 1
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
    cdef Py_UCS4 sign
    end = min(end, <Py_ssize_t>len(text))
    while at < end:
        start = at
        sign = 0
        while at < end:
            sign = PyUnicode_READ(kind, data, at)
            if sign == 123 or sign == 125:
                break
            at += 1
        else:
            return
        if sign == 125:
            at += 1
            yield PyUnicode_Substring(text, start, at - 1), None, "}", at
            continue
        body = at + 1
        at = body
        sign = 0
        while at < end:
            sign = PyUnicode_READ(kind, data, at)
            if sign == 123 or sign == 125:
                break
            at += 1
        if at < end and sign == 125:
            at += 1
            yield PyUnicode_Substring(text, start, body - 1), PyUnicode_Substring(text, body, at - 1), None, at
        else:
            at = body
            yield PyUnicode_Substring(text, start, body - 1), None, "{", at


cpdef bint has_seen(str text, set seen) except -1:
    """True where all classes and ids of a selector are among those seen."""
    cdef Py_ssize_t at = 0, start, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        at += 1
        if sign == 46 or sign == 35:
            start = at - 1
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if at > start + 1 and PyUnicode_Substring(text, start, at) not in seen:
                return False
    return True


cpdef int fate(str selectors, set seen) except -1:
    """Whether a rule's selectors can match on a page with these names, and if so, whether they are plain names only."""
    cdef Py_ssize_t at, length = len(selectors)
    cdef int kind = PyUnicode_KIND(selectors)
    cdef void* data = PyUnicode_DATA(selectors)
    cdef Py_UCS4 sign
    cdef bint is_single = True, is_plain = True
    for at in range(length):
        sign = PyUnicode_READ(kind, data, at)
        if is_word(sign) or sign == 46 or sign == 35 or sign == 32 or sign == 42 or sign == 62:
            continue
        if sign == 44:
            is_single = False
        elif sign == 40 or sign == 91 or sign == 92:
            return OTHER_LIST
        elif sign != 43 and sign != 126 and not is_space(sign):
            is_plain = False
    if is_single and not has_seen(selectors, seen):
        return PASSED_OVER
    return PLAIN_LIST if is_plain else OTHER_LIST


def plain_start(str text):
    """Where the rightmost compound of a selector of tags, classes and ids only starts; -1 for other selectors."""
    cdef Py_ssize_t at, cut = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    for at in range(length):
        sign = PyUnicode_READ(kind, data, at)
        if sign == 46 or sign == 35 or sign == 42 or is_word(sign):
            continue
        if sign == 62 or sign == 43 or sign == 126 or is_space(sign):
            cut = at + 1
        else:
            return -1
    return cut if cut < length else -1


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


def plain_parts(str text, set seen):
    """Names of the rightmost compound, names to the left of it, where it starts, and whether it is nothing but names."""
    cdef Py_ssize_t at = 0, start, cut = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef bint is_whole = True
    cdef list own = [], above = []
    cdef str name
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        start = at
        if sign == 46 or sign == 35 or is_word(sign):
            at += 1
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if sign == 46 or sign == 35:
                if at == start + 1:
                    is_whole = False
                    continue
                name = PyUnicode_Substring(text, start, at)
            else:
                name = PyUnicode_Substring(text, start, at).lower()
            if seen is not None and name not in seen:
                return None
            own.append(name)
        elif sign == 42:
            at += 1
        elif sign == 62 or sign == 43 or sign == 126 or is_space(sign):
            at += 1
            cut = at
            is_whole = True
            if own:
                above += own
                own = []
        else:
            return None
    if cut == length:
        return None
    return own, above, cut, is_whole
