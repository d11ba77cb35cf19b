# The C types of evidence.py.
cimport cython

from parcels.layout cimport column_pointers as columns
from parcels.layout.areas cimport partition as cuts
from parcels.layout.areas.columns cimport Sides
from parcels.layout.areas.features cimport Frame
from parcels.layout.areas.ground cimport Ground

cdef double CLIP, PRICE, FURTHER
cdef int LONG_TEXT, LEAF_WIDTH, COLUMN_WIDTH

@cython.locals(ground=Ground, sides=Sides)
cpdef recognise(page, layout)
@cython.locals(ground=Ground, sides=Sides)
cpdef tuple evidence_of(page, layout)
@cython.locals(frame=Frame, cells='double*')
cdef _evidence_of_leaves(Ground ground)
@cython.locals(cells='double*')
cdef _evidence_of_sides(Sides sides)
@cython.locals(count=int, score='double*', column='double*', gain='double*', leaf=int, at=int, one=int)
cdef double* _gains(Sides sides, frame, side) except NULL
@cython.locals(ground=Ground)
cdef Ground _ground_of(page, layout)
cdef double _clipped(double score) noexcept
