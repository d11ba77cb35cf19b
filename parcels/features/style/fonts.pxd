from parcels.features.table cimport BlockTable, LeafTable, NodeTable, part_of, safe

cdef int CENTRE, IMAGES, MEDIA
cdef const signed char[::1] SORT_OF_KIND
