# cython: wraparound=False, cdivision=True
"""A vocabulary as words.table_of makes it: the columns of a page's words, looked up at once."""

from cpython.dict cimport PyDict_Next
from cpython.long cimport PyLong_AsLongLong
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef extern from "Python.h":
    Py_hash_t PyObject_Hash(PyObject*) except? -1
    int PyUnicode_Compare(PyObject*, PyObject*) except? -1


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define PARCELS_FETCH(place) __builtin_prefetch(place)
    #else
    #define PARCELS_FETCH(place)
    #endif
    """
    void PARCELS_FETCH(const void*) noexcept


cdef class Table:
    """A vocabulary that many words are looked up in at once.

    It is larger than the processor's cache, so that most looks wait for memory; here they wait together.
    """

    def __cinit__(self, dict vocabulary):
        cdef Py_ssize_t size = 8, at = 0, number = 0, slot
        cdef PyObject* key
        cdef PyObject* value
        while size < 2 * len(vocabulary):
            size *= 2
        self.vocabulary, self.mask = vocabulary.copy(), size - 1
        self.slots = <int*>malloc(size * sizeof(int))
        self.entries = <Known*>malloc(max(len(vocabulary), 1) * sizeof(Known))
        if self.slots == NULL or self.entries == NULL:
            raise MemoryError
        memset(self.slots, -1, size * sizeof(int))
        while PyDict_Next(self.vocabulary, &at, &key, &value):
            self.entries[number] = Known(PyObject_Hash(key), key, PyLong_AsLongLong(<object>value))
            slot = self.entries[number].hash & self.mask
            while self.slots[slot] >= 0:
                slot = (slot + 1) & self.mask
            self.slots[slot] = number
            number += 1

    def __dealloc__(self):
        free(self.slots)
        free(self.entries)

    def __len__(self):
        return len(self.vocabulary)

    def __reduce__(self):
        return Table, (self.vocabulary,)

    cdef int look(self, Int* words, Py_ssize_t count) except -1:
        """In place of each word its column, -1 for none."""
        cdef PyObject* word
        cdef Py_ssize_t at, slot
        cdef int number
        cdef const Known* known
        cdef Py_hash_t* hashes = <Py_hash_t*>malloc(max(count, 1) * sizeof(Py_hash_t))
        if hashes == NULL:
            raise MemoryError
        try:
            for at in range(count):
                hashes[at] = PyObject_Hash(<PyObject*><size_t>words[at])
                PARCELS_FETCH(&self.slots[hashes[at] & self.mask])
            for at in range(count):
                number = self.slots[hashes[at] & self.mask]
                if number >= 0:
                    PARCELS_FETCH(&self.entries[number])
            for at in range(count):
                number = self.slots[hashes[at] & self.mask]
                if number >= 0 and self.entries[number].hash == hashes[at]:
                    PARCELS_FETCH(self.entries[number].key)
            for at in range(count):
                word, slot = <PyObject*><size_t>words[at], hashes[at] & self.mask
                words[at] = -1
                while self.slots[slot] >= 0:
                    known = &self.entries[self.slots[slot]]
                    if known.hash == hashes[at] and (
                        known.key == word or PyUnicode_Compare(known.key, word) == 0
                    ):
                        words[at] = known.column
                        break
                    slot = (slot + 1) & self.mask
        finally:
            free(hashes)
        return 0
