"""What `parcels.css.scan_plain.Names` is, as a table in C."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.object cimport PyObject

from parcels.css.signs cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring

cdef enum:
    MAX_PROBES = 16  # places where a name is looked for: past it Python's set is asked, whose hashes none can foresee


cdef class Names:
    """The names of a page, found by the characters of a text before a string is made of them."""

    def __cinit__(self, object names):
        cdef str name
        cdef size_t at, room = 64
        cdef unsigned int hashed
        cdef int probe
        self.all = frozenset(names)
        while room < 4 * <size_t> len(self.all):
            room *= 2
        self.mask = room - 1
        self.slots = <Slot*> PyMem_Calloc(room, sizeof(Slot))
        if self.slots is NULL:
            raise MemoryError
        for name in self.all:
            hashed = _hashed(PyUnicode_KIND(name), PyUnicode_DATA(name), 0, len(name), False)
            at = hashed & self.mask
            for probe in range(MAX_PROBES):
                if self.slots[at].name is NULL:
                    self.slots[at].name, self.slots[at].hashed = <PyObject*> name, hashed  # the set holds it
                    break
                at = (at + 1) & self.mask

    def __dealloc__(self):
        PyMem_Free(self.slots)

    cdef str find(self, str text, int kind, void* data, Py_ssize_t start, Py_ssize_t end, bint is_tag):
        """The name that stands in a text, tags in small letters; None where the page has no such name."""
        cdef unsigned int hashed = _hashed(kind, data, start, end, is_tag)
        cdef size_t at = hashed & self.mask
        cdef int probe
        cdef str name
        if hashed or not is_tag:
            for probe in range(MAX_PROBES):
                if self.slots[at].name is NULL:
                    return None
                if self.slots[at].hashed == hashed:
                    name = <str> self.slots[at].name
                    if _is_same(name, kind, data, start, end, is_tag):
                        return name
                at = (at + 1) & self.mask
        name = PyUnicode_Substring(text, start, end)
        if is_tag:
            name = name.lower()
        return name if name in self.all else None


cdef unsigned int _hashed(int kind, void* data, Py_ssize_t start, Py_ssize_t end, bint is_tag) noexcept:
    """A number of a name, and 0 for a tag with signs whose small letters are not plain to see."""
    cdef unsigned int made = 2166136261
    cdef Py_ssize_t at
    cdef unsigned int sign
    for at in range(start, end):
        sign = <unsigned int> PyUnicode_READ(kind, data, at)
        if is_tag:
            if sign > 127:
                return 0
            if 65 <= sign <= 90:
                sign += 32
        made = (made ^ sign) * 16777619
    made ^= made >> 15
    return made if made else 1


cdef bint _is_same(str name, int kind, void* data, Py_ssize_t start, Py_ssize_t end, bint is_tag) noexcept:
    cdef int own = PyUnicode_KIND(name)
    cdef void* signs = PyUnicode_DATA(name)
    cdef Py_ssize_t at
    cdef unsigned int sign
    if len(name) != end - start:
        return False
    for at in range(end - start):
        sign = <unsigned int> PyUnicode_READ(kind, data, start + at)
        if is_tag and 65 <= sign <= 90:
            sign += 32
        if sign != <unsigned int> PyUnicode_READ(own, signs, at):
            return False
    return True
