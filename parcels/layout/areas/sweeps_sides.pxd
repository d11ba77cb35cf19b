# The C types of the loops in sweeps_sides.py.
cimport cython

cdef double EDGE_SHARE, TALL_PX, RUN_EDGE, RUN_GAP_PX, LEVEL_SHARE
cdef long SHORT_LINK, LONG_LINK

@cython.locals(box='double[::1]', is_right='long[::1]', count=long, run='long[::1]', tops='double[::1]', bottoms='double[::1]', one=long, other=long, joined=long, kept=long, member=long, found='double[::1]')
cpdef object sweep_runs(object boxes, object right_side, double height)

@cython.locals(is_left_alike=bint, is_right_alike=bint, shared=double, gap=double)
cdef bint _is_in_line(double[::1] box, long one, long other)

@cython.locals(part='long[::1]', is_right='long[::1]', box='double[::1]', parent='long[::1]', last='long[::1]', found='double[::1]', one=long, own=long, left=double, top=double, right=double, bottom=double, width=double, widest=double, inside=long, around=long, sibling=long, at=long, shared=double, is_level=bint, wide=double)
cpdef object sweep_siblings(object candidates, object right_side, object rectangles, object above, object last_part)

@cython.locals(own='double[::1]', is_right='long[::1]', box='double[::1]', weight='double[::1]', prose='double[::1]', count=long, leaves=long, found='double[::1]', total=double, leaf=long, one=long, left=double, top=double, right=double, bottom=double, width=double, inner=double, text=double, level=double, widest=double, wider=double, outer=double, at=long, is_before=bint, is_behind=bint, wide=double)
cpdef object sweep_beside(object own_boxes, object right_side, object boxes, object weights, object long_text)

@cython.locals(first='long[::1]', end='long[::1]', size='double[::1]', prose='double[::1]', item='long[::1]', link='double[::1]', found='double[::1]', one=long, written=double, sentences=double, items=double, short=double, headlines=double, leaf=long, at=long, count=double)
cpdef object sweep_written(object first_leaf, object end_leaf, object letters, object long_text, object is_item, object is_text_link)

@cython.locals(box='double[::1]', first='long[::1]', end='long[::1]', looked_at='long[::1]', number='long[::1]', one=long, part=long, middle=double)
cpdef object sweep_candidates(object boxes, object first_leaf, object end_leaf, object largest, long least, double least_px, double outer)

@cython.locals(box='double[::1]', is_right='long[::1]', first='long[::1]', end='long[::1]', found='double[::1]', one=long, at=long, to=long, from_edge=double, low=double)
cpdef object sweep_nears(object boxes, object right_side, object first_leaf, object end_leaf, double height)

@cython.locals(box='double[::1]', is_right='long[::1]', near='double[::1]', run='double[::1]', sibling='double[::1]', level='double[::1]', density='double[::1]', text='double[::1]', flags='long[::1]', height=double, column_share=double, left_share=double, left_name=long, right_name=long, side_name=long, plain=long, columns=long, found='double[::1]', one=long, at=long, wide=double, high=double, number=long, own=long, other=long)
cpdef object sweep_columns(object boxes, object right_side, object nears, object runs, object siblings, object beside, object links, object written, object flags_of, object plain_bits, object side_bits, object sizes)
