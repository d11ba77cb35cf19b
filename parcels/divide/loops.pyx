# cython: wraparound=False
"""The loop over leaves that NumPy can only do in many passes; its caller says what it means."""


def fine(
    const unsigned char[::1] is_structural, const unsigned char[::1] is_break, const int[::1] parent,
    const int[::1] node, const int[::1] opened, int break_run, int[::1] container, unsigned char[::1] is_start,
):
    """The structural element that holds each leaf, and which leaves begin a block (fine.divide)."""
    cdef Py_ssize_t leaf
    cdef int row = 0, at, structural, breaks
    for leaf in range(node.shape[0]):
        structural = breaks = 0
        while row < opened[leaf]:
            structural += is_structural[row]
            breaks += is_break[row]
            row += 1
        at = node[leaf]
        while at > 0 and not is_structural[at]:
            at = parent[at]
        container[leaf] = max(at, 0)
        is_start[leaf] = (
            structural > 0 or breaks >= break_run or (leaf > 0 and container[leaf] != container[leaf - 1])
        )
