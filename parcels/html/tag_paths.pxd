cimport cython


@cython.locals(
    known=list, paths=list, unknown_rows=list, path=str, wanted=Py_ssize_t, row=Py_ssize_t, below=Py_ssize_t
)
cpdef list tag_paths(list parent, list tags, list rows)
