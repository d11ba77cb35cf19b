cimport cython


@cython.locals(words=list, at=Py_ssize_t, size=Py_ssize_t, begin=Py_ssize_t, small=Py_ssize_t, capitals=Py_ssize_t)
cpdef list words_of_name(str name)

@cython.locals(runs=list, at=Py_ssize_t, size=Py_ssize_t, begin=Py_ssize_t)
cpdef list letter_runs(str text, Py_ssize_t fewest)

@cython.locals(words=list, at=Py_ssize_t, size=Py_ssize_t, begin=Py_ssize_t)
cpdef list first_words(str text, Py_ssize_t most)
