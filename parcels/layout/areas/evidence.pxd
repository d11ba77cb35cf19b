# The C types of evidence.py.
cimport cython

from parcels.layout.areas cimport partition as cuts
from parcels.layout.areas.column_evidence cimport Sides
from parcels.layout.areas.leaf_evidence cimport Frame
from parcels.layout.areas.part_table cimport Ground
from parcels.layout.boxes.column_store cimport ColumnStore

cdef double CLIP, PRICE, FURTHER
cdef int LONG_TEXT, LEAF_WIDTH, COLUMN_WIDTH

@cython.locals(ground=Ground, sides=Sides)
cpdef recognise(page, layout)
@cython.locals(ground=Ground, sides=Sides)
cpdef tuple evidence_of(page, layout)
@cython.locals(frame=Frame)
cdef _evidence_of_leaves(Ground ground)
cdef _evidence_of_sides(Sides sides)
@cython.locals(count=int, score='const double[::1]', column='const double[::1]', gain='double[::1]', leaf=int, at=int, one=int, store=ColumnStore)
cdef double[::1] _gains(Sides sides, frame, side)
@cython.locals(ground=Ground)
cdef Ground _ground_of(page, layout)
cdef double _clipped(double score) noexcept
