from parcels.maps cimport IntMap
from parcels.features.table cimport BlockTable, LeafTable, NodeTable, safe

cdef int IMAGE, H5, H6, TABLE, ROW, TD, TH, ABSOLUTE, STICKY, FIRST_HEADING, LAST_HEADING
cdef long long[::1] PLACE_INSIDE

cpdef double weighted_median(float[::1] values, float[::1] weights) except? -1
