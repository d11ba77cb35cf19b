from parcels.maps cimport IntMap
from parcels.features.table cimport BlockTable, LeafTable, NodeTable
from parcels.features.style.columns cimport weighted_median

cdef int IMAGE, H1, PLACE_H1, PLACE_H2, PLACE_NAV
cdef int MIN_SIBLINGS, MIN_CHARS, FAR, MAX_HEADING_CHARS, MAX_UNDER, LEVELS_OVER_LIST
cdef float MAX_LINK_SHARE, SHARE
