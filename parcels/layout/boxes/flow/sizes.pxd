cimport cython

from parcels.layout.boxes.flow.box_tree cimport Screen

cdef int _AUTO, _PX, _PERCENT, _MIN_CONTENT, _MAX_CONTENT
cdef double MOST_PX, MOST_LABEL, inf, nan

cdef double width_of(Screen s, int row, double free, double holder)
cdef double given_width(Screen s, int row, double holder)
cdef double limited_width(Screen s, int row, double width, double holder)
cdef double given_height(Screen s, int row, double holder)
cdef double limited_height(Screen s, int row, double height, double holder)
cdef double _at_most(double size, int unit, double number, double holder, double extra)
cdef double _at_least(double size, int unit, double number, double holder, double extra)
@cython.locals(width=double, height=double)
cdef (double, double) replaced_size(Screen s, int row, double holder, double holder_height)
cdef double least_label(Screen s, int row)
cdef tuple _natural(Screen s, int row)
@cython.locals(width=double, size=double, letter=object)
cdef double _label_width(Screen s, int row, str label) except? -1
cdef tuple _input(Screen s, int row)
