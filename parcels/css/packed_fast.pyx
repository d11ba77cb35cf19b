"""What `parcels.css.packed_plain.Packed` is, with its numbers in C."""

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc

from parcels.css.columns import OBJECTS

cdef frozenset _OBJECTS = frozenset(OBJECTS)


@cython.no_gc
cdef class Packed:
    """Values apart by what is done with them. What it holds is shared: do not change it."""

    def __cinit__(self, dict values not None):
        cdef int room = <int> len(values)
        self.values, self.rest = values, []
        self.numbers = <double*> PyMem_Malloc(room * (sizeof(double) + sizeof(int)))
        if self.numbers is NULL:
            raise MemoryError
        self.columns = <int*> (self.numbers + room)
        for key, value in values.items():
            if type(value) is float:
                self.columns[self.count] = key
                self.numbers[self.count] = value
                self.count += 1
            elif isinstance(key, int) or key in _OBJECTS:
                self.rest.append((key, value))
            else:
                if self.own is None:
                    self.own = {}
                self.own[key] = str(value)

    def __dealloc__(self):
        PyMem_Free(self.numbers)
