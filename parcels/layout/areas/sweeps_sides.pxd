# The C types of the loops in sweeps_sides.py.
cimport cython

cdef double EDGE_SHARE, TALL_PX, EQUAL_GAP
cdef long SHORT_LINK, LONG_LINK

@cython.locals(box='double[::1]', narrow='double[::1]', is_right='long[::1]', count=long, others=long, found='double[::1]', one=long, left=double, top=double, right=double, bottom=double, width=double, other=long, filled=double, stack_left=double, stack_top=double, stack_right=double, stack_bottom=double, at=long, wide=double, gap=double, is_level=bint, is_apart=bint, shared=double, narrower=double)
cpdef object sweep_stacks(object boxes, object narrow_boxes, object right_side, double height)

@cython.locals(around='double[::1]', own='double[::1]', is_right='long[::1]', box='double[::1]', weight='double[::1]', prose='double[::1]', count=long, leaves=long, found='double[::1]', total=double, leaf=long, one=long, left=double, top=double, right=double, bottom=double, width=double, inner=double, text=double, level=double, widest=double, wider=double, outer=double, at=long, is_before=bint, is_behind=bint, wide=double)
cpdef object sweep_beside(object around_boxes, object own_boxes, object right_side, object boxes, object weights, object long_text)

@cython.locals(first='long[::1]', end='long[::1]', size='double[::1]', prose='double[::1]', item='long[::1]', link='double[::1]', found='double[::1]', one=long, written=double, sentences=double, items=double, short=double, headlines=double, leaf=long, at=long, count=double)
cpdef object sweep_written(object first_leaf, object end_leaf, object letters, object long_text, object is_item, object is_text_link)

@cython.locals(box='double[::1]', first='long[::1]', end='long[::1]', looked_at='long[::1]', number='long[::1]', one=long, part=long, middle=double, is_outer=bint)
cpdef object sweep_candidates(object boxes, object first_leaf, object end_leaf, object largest, long least, double least_px, double outer)

@cython.locals(box='double[::1]', is_right='long[::1]', first='long[::1]', end='long[::1]', found='double[::1]', one=long, at=long, to=long, from_edge=double, low=double)
cpdef object sweep_nears(object boxes, object right_side, object first_leaf, object end_leaf, double height)

@cython.locals(box='double[::1]', is_right='long[::1]', near='double[::1]', stack='double[::1]', level='double[::1]', stack_level='double[::1]', density='double[::1]', text='double[::1]', flags='long[::1]', height=double, column_share=double, left_share=double, left_name=long, right_name=long, side_name=long, plain=long, columns=long, found='double[::1]', one=long, at=long, wide=double, high=double, number=long, own=long, other=long)
cpdef object sweep_columns(object boxes, object right_side, object nears, object stacks, object beside, object beside_stack, object links, object written, object flags_of, object plain_bits, object side_bits, object sizes)
