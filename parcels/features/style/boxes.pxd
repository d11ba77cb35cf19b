from parcels.features.table cimport BlockTable, LeafTable, NodeTable, part_of, safe

cdef int ABSOLUTE, FIXED, STICKY, UNFLOATED
cdef const unsigned char[::1] IS_FLEX
