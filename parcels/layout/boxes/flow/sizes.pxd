cimport cython

from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int _AUTO, _PX, _PERCENT, _MIN_CONTENT, _MAX_CONTENT
cdef double MAX_PX, MAX_LABEL, inf, nan

cdef double used_block_width(BoxTree t, int row, double free, double container)
cdef double specified_width(BoxTree t, int row, double container)
cdef double constrained_width(BoxTree t, int row, double width, double container)
cdef double specified_height(BoxTree t, int row, double container)
cdef double constrained_height(BoxTree t, int row, double height, double container)
cdef double _at_most(double size, int unit, double number, double container, double extra)
cdef double _at_least(double size, int unit, double number, double container, double extra)
@cython.locals(width=double, height=double)
cdef (double, double) replaced_size(BoxTree t, int row, double container, double container_height)
cdef double min_label_width(BoxTree t, int row)
cdef tuple _natural(BoxTree t, int row)
@cython.locals(width=double, size=double, letter=object)
cdef double _label_width(BoxTree t, int row, str label) except? -1
cdef tuple _input(BoxTree t, int row)
