from parcels.maps cimport IntMap
from parcels.features.table cimport BlockTable, LeafTable, NodeTable, part_of

cdef int TABLE, DIV, NEAR_ROOT
cdef const unsigned char[::1] BLOCK_LEVEL
