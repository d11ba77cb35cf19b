"""One column a style to one column a node, in C: what NumPy's indexing does, without what it asks at every number."""


def spread_words(const unsigned int[:, ::1] values, const Py_ssize_t[::1] of_node, unsigned int[:, ::1] made):
    """The numbers of four bytes of each node's style."""
    cdef Py_ssize_t row, node
    for row in range(values.shape[0]):
        for node in range(of_node.shape[0]):
            made[row, node] = values[row, of_node[node]]


def spread_bytes(const unsigned char[:, ::1] values, const Py_ssize_t[::1] of_node, unsigned char[:, ::1] made):
    """The numbers of one byte of each node's style."""
    cdef Py_ssize_t row, node
    for row in range(values.shape[0]):
        for node in range(of_node.shape[0]):
            made[row, node] = values[row, of_node[node]]
