cimport cython


@cython.locals(at=Py_ssize_t, found=list)
cpdef list chosen(list values, Py_ssize_t[::1] numbers)
