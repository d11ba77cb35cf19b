cimport cython


@cython.locals(at=Py_ssize_t, result=list)
cpdef list take(list values, Py_ssize_t[::1] numbers)
