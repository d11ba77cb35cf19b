from parcels.features.table cimport BlockTable, NodeTable, part_of, safe

cdef int FAR, MOST_LEVELS_OFF, MOST_LEVELS_ABOVE
