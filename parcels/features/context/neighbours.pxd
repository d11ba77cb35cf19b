from parcels.features.table cimport BlockTable, safe

cdef int FAR
