from parcels.features.table cimport BlockTable, NodeTable, part_of

cdef int MOST_BEFORE
