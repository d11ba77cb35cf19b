from parcels.views.block_table cimport BlockTable, NodeTable, part_of

cdef int MOST_BEFORE
