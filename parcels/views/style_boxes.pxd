from parcels.views.block_table cimport BlockTable, LeafTable, NodeTable, part_of, safe

cdef int ABSOLUTE, FIXED, STICKY, UNFLOATED
cdef const unsigned char[::1] IS_FLEX
