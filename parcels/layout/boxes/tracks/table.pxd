cimport cython

from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.tracks cimport table_cells as grids
from parcels.layout.boxes.flow.floats cimport Floats, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport BoxTree
from parcels.layout.boxes.tracks.table_cells cimport Cell, Cells

cdef double nan
cdef int _CENTRE, _END

@cython.locals(cells=Cells, cell=Cell, lines=Lines, left=double, down=double, gap=double, caption=int, child=int, node=int)
cdef double lay(BoxTree t, int row, double inner, double inside, int depth) except? -1
cpdef list column_widths(Cells cells, double total)
@cython.locals(
    cell=Cell, gap=double, count=int, n=int, node=int, which=int, specified=double, spare=double, left=double, width=double,
    height=double, align=int, first=int, end=int,
)
cdef double _rows(BoxTree t, int table, Cells cells, double top, double inner, double inside) except? -1
cdef void _put(BoxTree t, int table, int node, double x, double y, double width, double height)
