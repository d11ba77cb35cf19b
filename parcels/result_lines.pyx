# cython: wraparound=False, cdivision=True
"""The blocks of a page as one line of JSON, from columns, without an object for each (results.blocks_to_line).

The bytes are those that orjson writes of results.blocks_to_json.
"""

import orjson

from libc.math cimport fabs, isnan, rint, signbit
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object, Py_ssize_t*) except NULL

ctypedef unsigned long long Eight

cdef enum:
    FIRST_ROOM = 1 << 17
    SPARE = 32  # bytes that are always left behind what is asked for

cdef Eight ONES = 0x0101010101010101U, HIGH = 0x8080808080808080U
cdef double MOST_TENTHS = 1e15  # beyond this a number is written otherwise
cdef double PARTS = 10000  # of a confidence: model.DIGITS


cdef class Line:
    """Bytes that grow."""

    cdef char* bytes
    cdef Py_ssize_t size, room

    def __cinit__(self):
        self.size, self.room = 0, FIRST_ROOM
        self.bytes = <char*>malloc(self.room)
        if self.bytes == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.bytes)

    cdef int need(self, Py_ssize_t more) except -1:
        """Make room for so many bytes, and SPARE."""
        cdef char* grown
        cdef Py_ssize_t room = self.room
        if self.size + more + SPARE > room:
            while self.size + more + SPARE > room:
                room *= 2
            grown = <char*>realloc(self.bytes, room)
            if grown == NULL:
                raise MemoryError
            self.bytes, self.room = grown, room
        return 0

    cdef int add(self, bytes text) except -1:
        self.need(len(text))
        memcpy(self.bytes + self.size, <const char*>text, len(text))
        self.size += len(text)
        return 0

    cdef int string(self, text) except -1:
        """A text between quotes; null for None."""
        cdef const char* letters
        cdef char* to
        cdef Py_ssize_t at = 0, size, stop
        cdef Eight eight, odd
        cdef unsigned char letter
        if text is None:
            return self.add(b"null")
        letters = PyUnicode_AsUTF8AndSize(text, &size)
        self.need(size)
        to = self.bytes + self.size
        to[0] = c'"'
        to += 1
        while at < size:
            while at + 8 <= size:  # eight at once, where none is to be escaped
                memcpy(&eight, letters + at, 8)
                odd = (eight - ONES * 0x20) & ~eight
                odd |= ((eight ^ ONES * 0x22) - ONES) & ~(eight ^ ONES * 0x22)
                odd |= ((eight ^ ONES * 0x5C) - ONES) & ~(eight ^ ONES * 0x5C)
                if odd & HIGH:
                    break
                memcpy(to, &eight, 8)
                at, to = at + 8, to + 8
            stop = min(at + 8, size)
            while at < stop:
                letter = letters[at]
                at += 1
                if letter >= 0x20 and letter != c'"' and letter != c"\\":
                    to[0] = letter
                    to += 1
                    continue
                to[0] = c"\\"
                if letter == c'"' or letter == c"\\":
                    to[1] = letter
                elif letter == c"\n":
                    to[1] = c"n"
                elif letter == c"\r":
                    to[1] = c"r"
                elif letter == c"\t":
                    to[1] = c"t"
                elif letter == 0x08:
                    to[1] = c"b"
                elif letter == 0x0C:
                    to[1] = c"f"
                else:
                    memcpy(to + 1, b"u00", 3)
                    to[4] = c"1" if letter >= 16 else c"0"
                    to[5] = b"0123456789abcdef"[letter % 16]
                    to += 4
                to += 2
                self.size = to - self.bytes
                self.need(size - at)
                to = self.bytes + self.size
        to[0] = c'"'
        self.size = to + 1 - self.bytes
        return 0

    cdef int whole(self, Eight number) except -1:
        """A number without a sign."""
        cdef char digits[20]
        cdef int at = 20
        self.need(20)
        while True:
            at -= 1
            digits[at] = <char>(c"0" + number % 10)
            number //= 10
            if number == 0:
                break
        memcpy(self.bytes + self.size, digits + at, 20 - at)
        self.size += 20 - at
        return 0

    cdef int tenths(self, float value) except -1:
        """A number rounded to one digit, as NumPy rounds."""
        cdef double by = rint(<double>value * 10)
        if not fabs(by) < MOST_TENTHS:
            return self.add(orjson.dumps(by / 10))
        if signbit(by):
            self.add(b"-")
        self.whole(<Eight>fabs(by) // 10)
        self.bytes[self.size] = c"."
        self.bytes[self.size + 1] = <char>(c"0" + <Eight>fabs(by) % 10)
        self.size += 2
        return 0

    cdef int confidence(self, value) except -1:
        """A confidence of few digits, or any other value."""
        cdef double number, by
        if type(value) is not float:
            return self.add(orjson.dumps(value))
        number = value
        by = rint(number * PARTS)
        if by / PARTS != number:
            return self.add(orjson.dumps(value))
        return self.parts(by)

    cdef int parts(self, double by) except -1:
        """So many parts of PARTS."""
        cdef int left, unit = 1000
        if not 0 <= by <= PARTS or signbit(by):
            return self.add(orjson.dumps(by / PARTS))
        self.need(8)
        left = <int>by
        self.bytes[self.size] = <char>(c"0" + left // 10000)
        self.bytes[self.size + 1] = c"."
        self.size += 2
        left %= 10000
        while True:
            self.bytes[self.size] = <char>(c"0" + left // unit)
            self.size += 1
            left, unit = left % unit, unit // 10
            if left == 0:
                return 0


cdef class Votes:
    """What each view says of each block: the place of the likeliest label, and how sure it is in parts of PARTS."""

    cdef int* places
    cdef double* parts
    cdef Py_ssize_t blocks

    def __cinit__(self, Py_ssize_t blocks, list views):
        cdef const double[:, ::1] proba
        cdef Py_ssize_t view, block, at, place, to = 0
        cdef double most
        self.blocks = blocks
        self.places = <int*>malloc(max(blocks * len(views), 1) * sizeof(int))
        self.parts = <double*>malloc(max(blocks * len(views), 1) * sizeof(double))
        if self.places == NULL or self.parts == NULL:
            raise MemoryError
        for view in range(len(views)):
            proba = views[view]
            if proba.shape[0] != blocks:
                raise ValueError("parcels: a view has a row a block")
            for block in range(blocks):
                place, most = 0, proba[block, 0]
                for at in range(1, proba.shape[1]):
                    if isnan(most):  # NumPy takes the first NaN
                        break
                    if proba[block, at] > most or isnan(proba[block, at]):
                        place, most = at, proba[block, at]
                self.places[to], self.parts[to] = <int>place, rint(most * PARTS)
                to += 1

    def __dealloc__(self):
        free(self.places)
        free(self.parts)


def page_line(
    dict page, list ranges, said, dict votes, list labels, levels, list areas, const float[:, ::1] edges, list paths, list texts,
    list kinds, list leaf_texts, leaf_labels, reasons, spans,
):
    """`page` is what the line says before its blocks, `edges` are left, top, right and bottom of each (None: unknown);
    `votes` are by view what it says of each block, or probabilities of `labels`; the others are columns over blocks and
    leaves, as results.blocks_to_json reads them."""
    cdef Line line = Line()
    cdef Py_ssize_t block, leaf, first, end, view, to, blocks = len(ranges)
    cdef bint has_boxes = edges is not None, is_told = not labels
    cdef list names = [], columns = list(votes.values()), quoted = [orjson.dumps(label) for label in labels]
    cdef Votes found = Votes(blocks, [] if is_told else columns)
    for name in votes:
        names.append((b"," if names else b"") + orjson.dumps(name) + b':{"label":')
    line.add(orjson.dumps(page).removesuffix(b"}"))
    line.add(b',"blocks":[')
    for block in range(blocks):
        first, end = <tuple>ranges[block]
        line.add(b',{"n":' if block else b'{"n":')
        line.whole(block)
        label, sure = <tuple>said[block]
        line.add(b',"label":')
        line.string(label)
        line.add(b',"confidence":')
        line.confidence(sure)
        line.add(b',"views":{')
        for view in range(len(names)):
            line.add(<bytes>names[view])
            if is_told:
                label, sure = <tuple>(<list>columns[view])[block]
                line.string(label)
                line.add(b',"confidence":')
                line.confidence(sure)
            else:
                to = view * blocks + block
                line.add(<bytes>quoted[found.places[to]])
                line.add(b',"confidence":')
                line.parts(found.parts[to])
            line.add(b"}")
        line.add(b'},"importance":')
        level = levels[block]
        if type(level) is int and 0 <= level < 10:
            line.whole(level)
        else:
            line.add(orjson.dumps(level))
        line.add(b',"area":')
        line.string(areas[block])
        if has_boxes and not isnan(edges[block, 0]):
            line.add(b',"box":[')
            line.tenths(edges[block, 0])
            line.add(b",")
            line.tenths(edges[block, 1])
            line.add(b",")
            line.tenths(edges[block, 2] - edges[block, 0])
            line.add(b",")
            line.tenths(edges[block, 3] - edges[block, 1])
            line.add(b'],"tag_path":')
        else:
            line.add(b',"box":null,"tag_path":')
        line.string(paths[block])
        line.add(b',"text":')
        line.string(texts[block])
        line.add(b',"leaves":[')
        for leaf in range(first, end):
            line.add(b',{"kind":' if leaf > first else b'{"kind":')
            line.string(kinds[leaf])
            line.add(b',"text":')
            line.string(leaf_texts[leaf])
            if leaf_labels[leaf] is not None:
                line.add(b',"label":')
                line.string(leaf_labels[leaf])
            if reasons[leaf] is not None:
                line.add(b',"hidden_reason":')
                line.string(reasons[leaf])
            line.add(b"}")
        line.add(b'],"spans":')
        line.add(orjson.dumps([span._asdict() for span in spans[block]]) if spans[block] else b"[]")
        line.add(b"}")
    line.add(b"]}")
    return line.bytes[:line.size]
