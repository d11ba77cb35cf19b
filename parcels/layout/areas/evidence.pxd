# The C types of evidence.py.
cimport cython

from parcels.layout.areas cimport partition as cuts
from parcels.layout.areas.column_evidence cimport ColumnEvidence
from parcels.layout.areas.leaf_evidence cimport LeafEvidence
from parcels.layout.areas.part_table cimport PartTable
from parcels.layout.boxes.column_store cimport ColumnStore

cdef double CLIP, PART_PRICE, MIN_PIECE_GAIN
cdef int LONG_TEXT, LEAF_WIDTH, COLUMN_WIDTH

@cython.locals(page_parts=PartTable, columns=ColumnEvidence)
cpdef recognise(page, layout)
@cython.locals(page_parts=PartTable, columns=ColumnEvidence)
cpdef tuple evidence_of(page, layout)
@cython.locals(evidence=LeafEvidence)
cdef _evidence_of_leaves(PartTable page_parts)
cdef _evidence_of_columns(ColumnEvidence columns)
@cython.locals(count=int, score='const double[::1]', column='const double[::1]', gain='double[::1]', leaf=int, at=int, one=int, store=ColumnStore)
cdef double[::1] _gains(ColumnEvidence columns, leaf_scores, column_scores)
@cython.locals(page_parts=PartTable)
cdef PartTable _part_table_of(page, layout)
cdef double _clipped(double score) noexcept
