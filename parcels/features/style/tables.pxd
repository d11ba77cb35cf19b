from parcels.maps cimport IntMap
from parcels.features.table cimport BlockTable, LeafTable, NodeTable, part_of

cdef int TH, MOST_LINES
