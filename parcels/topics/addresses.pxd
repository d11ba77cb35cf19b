cimport cython

@cython.locals(common=Py_ssize_t, folders=tuple, own_folders=tuple)
cpdef tuple shape_beside(object address, object own)
