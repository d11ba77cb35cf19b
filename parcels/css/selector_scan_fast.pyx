"""What `parcels.css.scan_plain` says of selectors by regular expressions, character by character in C."""

from parcels.css.names_fast cimport Names
from parcels.css.signs cimport (
    PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, is_space, is_word
)

cdef enum:
    PASSED_OVER = 0  # see scan_plain
    PLAIN_LIST = 1
    OTHER_LIST = 2
    UNLIKELY = 0
    LIKELY = 1
    UNKNOWN = 2
    UNCLEAR = 3
    MAX_DEPTH = 8


cpdef bint has_seen(str text, Names seen) except -1:
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
            if at > start + 1 and seen.find(text, kind, data, start, at, False) is None:
                return False
    return True


cpdef int fate(str selectors, Names seen) except -1:
    """Whether a rule's selectors can match on a page with these names, and if so, whether they are plain names only."""
    cdef Py_ssize_t at = 0, start, length = len(selectors)
    cdef int kind = PyUnicode_KIND(selectors)
    cdef void* data = PyUnicode_DATA(selectors)
    cdef Py_UCS4 sign
    cdef bint is_single = True, is_plain = True
    cdef bint is_seen = True  # what has_seen says, as long as the selector is the only one
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        at += 1
        if sign == 46 or sign == 35:
            start = at - 1
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if is_seen and is_single and at > start + 1:
                is_seen = seen.find(selectors, kind, data, start, at, False) is not None
            continue
        if is_word(sign) or sign == 32 or sign == 42 or sign == 62:
            continue
        if sign == 44:
            is_single = False
        elif sign == 40 or sign == 91 or sign == 92:
            return OTHER_LIST
        elif sign != 43 and sign != 126 and not is_space(sign):
            is_plain = False
    if is_single and not is_seen:
        return PASSED_OVER
    return PLAIN_LIST if is_plain else OTHER_LIST


cpdef Py_ssize_t plain_start(str text) except -2:
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


cpdef tuple plain_parts(str text, Names seen):
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
            if seen is not None:
                name = seen.find(text, kind, data, start, at, sign != 46 and sign != 35)
                if name is None:
                    return None
            else:
                name = PyUnicode_Substring(text, start, at)
                if sign != 46 and sign != 35:
                    name = name.lower()
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


cpdef int likelihood(str text, Names seen, frozenset never, frozenset known) except -1:
    """Whether a selector can match on a page with these names; UNCLEAR for what is seldom written."""
    cdef Py_ssize_t at = 0, start, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef bint is_seen = True, has_name = False, is_joined = False, is_element
    cdef str name
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        start = at
        if sign == 46 or sign == 35 or is_word(sign):
            if is_joined and sign != 46 and sign != 35:
                return UNCLEAR
            at += 1
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if sign == 46 or sign == 35:
                if at == start + 1:
                    return UNCLEAR
            has_name = True
            if is_seen and seen.find(text, kind, data, start, at, sign != 46 and sign != 35) is None:
                is_seen = False
        elif sign == 58:  # a pseudo-class, or an element that is none
            at += 1
            is_element = at < length and PyUnicode_READ(kind, data, at) == 58
            at += is_element
            start = at
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if at == start:
                return UNCLEAR
            name = PyUnicode_Substring(text, start, at)
            name = name.lower()
            if at < length and PyUnicode_READ(kind, data, at) == 40 and (
                is_element or name in never or name not in known
            ):
                return UNCLEAR  # what follows the brackets may read on as its name
            if is_element or name in never:
                return UNLIKELY
            if name not in known:
                return UNLIKELY if name[0] == "-" else UNKNOWN
            if at < length and PyUnicode_READ(kind, data, at) == 40:
                at = _behind_round(kind, data, at, length)
                if at < 0:
                    return UNCLEAR
                is_joined = True
                continue
        elif sign == 91:
            at = _behind_square(kind, data, at, length)
            if at < 0:
                return UNCLEAR
        elif sign == 42:
            if has_name:
                return UNCLEAR
            at += 1
            is_joined = True
            continue
        elif sign == 62 or sign == 43 or sign == 126 or is_space(sign):
            at += 1
            has_name = False
            if at == length:
                return UNCLEAR
        else:
            return UNCLEAR
        is_joined = False
    if not has_name:
        return UNCLEAR
    return LIKELY if is_seen else UNLIKELY


cdef Py_ssize_t _behind_square(int kind, void* data, Py_ssize_t at, Py_ssize_t length):
    """Where the text goes on behind a square bracket's end; -1 where it has none."""
    cdef Py_UCS4 sign, quote = 0
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        at += 1
        if quote:
            if sign == quote:
                quote = 0
        elif sign == 34 or sign == 39:
            quote = sign
        elif sign == 93:
            return at
    return -1


cdef Py_ssize_t _behind_round(int kind, void* data, Py_ssize_t at, Py_ssize_t length):
    """Where the text goes on behind a round bracket's end; -1 where it has none, or many others inside."""
    cdef Py_UCS4 sign
    cdef int depth = 0
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        if sign == 91:
            at = _behind_square(kind, data, at, length)
            if at < 0:
                return -1
            continue
        if sign == 92:
            return -1
        at += 1
        if sign == 40:
            depth += 1
            if depth > MAX_DEPTH:
                return -1
        elif sign == 41:
            depth -= 1
            if depth == 0:
                return at
    return -1


cpdef tuple plain_compounds(str text):
    """Tag, id and classes of each compound of a plain selector, and the combinators between; None if it is not valid."""
    cdef Py_ssize_t at = 0, start, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign
    cdef bint is_empty = True
    cdef list found = [], combinators = []
    cdef str tag = "", ident = "", name
    cdef tuple classes = ()
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        start = at
        if sign == 46 or sign == 35 or is_word(sign):
            at += 1
            while at < length and is_word(PyUnicode_READ(kind, data, at)):
                at += 1
            if sign == 46 or sign == 35:
                if at == start + 1:
                    return None
                name = PyUnicode_Substring(text, start + 1, at)
                if sign == 35:
                    ident = name
                elif classes:
                    classes += (name,)
                else:
                    classes = (name,)
            else:
                tag = PyUnicode_Substring(text, start, at).lower()
            is_empty = False
        elif sign == 42:
            at += 1
            is_empty = False
        else:
            if is_empty:
                return None
            while at < length and is_space(PyUnicode_READ(kind, data, at)):
                at += 1
            sign = PyUnicode_READ(kind, data, at) if at < length else 32
            if sign == 62 or sign == 43 or sign == 126:
                at += 1
                while at < length and is_space(PyUnicode_READ(kind, data, at)):
                    at += 1
                combinators.append(">" if sign == 62 else "+" if sign == 43 else "~")
            elif at == start:
                return None
            else:
                combinators.append(" ")
            found.append((tag, ident, classes))
            tag, ident, classes, is_empty = "", "", (), True
    if is_empty:
        return None
    found.append((tag, ident, classes))
    return found, combinators


cpdef list selector_list(str text):
    """The selectors of a comma-separated list."""
    cdef Py_ssize_t at = 0, start = 0, end, comma = -1, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_UCS4 sign, inner
    cdef int depth = 0
    cdef bint is_plain = True
    cdef list found = []
    cdef str part
    for at in range(length):
        sign = PyUnicode_READ(kind, data, at)
        if sign == 40 or sign == 91 or sign == 92:
            is_plain = False
            break
        if sign == 44 and comma < 0:
            comma = at
    if is_plain and comma < 0:  # most are not lists
        return [text.strip()]
    at = 0
    while at < length:
        sign = PyUnicode_READ(kind, data, at)
        at += 1
        if is_plain and sign != 44:
            continue
        if sign == 92:
            at += 1
        elif sign == 34 or sign == 39:  # a string, where it is closed
            end = at
            while end < length:
                inner = PyUnicode_READ(kind, data, end)
                end += 1
                if inner == 92:
                    end += 1
                elif inner == sign:
                    at = end
                    break
        elif sign == 40 or sign == 91:
            depth += 1
        elif sign == 41 or sign == 93:
            depth -= 1
        elif sign == 44 and depth <= 0:
            part = PyUnicode_Substring(text, start, at - 1)
            found.append(part.strip())
            start = at
    part = PyUnicode_Substring(text, start, length)
    found.append(part.strip())
    return found
