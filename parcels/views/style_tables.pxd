from parcels.maps cimport IntMap
from parcels.views.block_table cimport BlockTable, LeafTable, NodeTable, part_of

cdef int TH, MOST_LINES
