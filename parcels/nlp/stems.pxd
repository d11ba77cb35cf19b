cdef dict _IRREGULAR
cpdef str find_stem(str word)
