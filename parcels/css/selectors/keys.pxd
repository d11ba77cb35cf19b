cimport cython
from parcels.css.selectors.parser cimport selector
from parcels.css.selectors.scan cimport plain_start

@cython.locals(last=str, bare=str, name=str, sign=str, cut=cython.Py_ssize_t, key=str)
cpdef tuple keys_and_selector(str text)
cdef tuple _compiled(str text)
cpdef frozenset needed_names(str text)
cpdef str unbracketed(str text)
