from parcels.views.block_table cimport BlockTable, safe

cdef int FAR
