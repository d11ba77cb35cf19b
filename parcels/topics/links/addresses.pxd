cimport cython

cdef dict _known

cpdef tuple words_of(str part)

@cython.locals(common=Py_ssize_t, folders=tuple, own_folders=tuple)
cpdef tuple shape_beside(object address, object own)
