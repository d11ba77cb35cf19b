# The C types of the loops in sweeps_frame.py.
cimport cython

cdef double NEVER, BAR_SHARE, BAR_PX, BAR_LINKS
cdef long BAR_LEAVES

@cython.locals(prose='double[::1]', box='double[::1]', total=double, leaf=long)
cpdef object sweep_edges(object long_text, object boxes, double height)

@cython.locals(flags='long[::1]', parent='long[::1]', found='long[::1]', part=long)
cpdef object sweep_named(object flags_of, object above, long mask)

@cython.locals(box='double[::1]', around='double[::1]', parent='long[::1]', footer='long[::1]', lowest=double, inner='long[::1]', prose='double[::1]', count=long, found='double[::1]', total=double, leaf=long, has_long=bint, late=long, so_far=double, at=long, top=double, bottom=double, up=double, back=double, before=double, after=double, part=long)
cpdef object sweep_leaves(object boxes, object rectangles, object above, object of_leaf, object long_text, object rights, object footer_of, double height)

@cython.locals(chosen='long[::1]', around='double[::1]', density='double[::1]', share='double[::1]', named='double[::1]', links_in='double[::1]', above=double, below=double, found='double[::1]', number=long, part=long, at=long, top=double, bottom=double, up=double, is_mute=bint)
cpdef object sweep_strips(object strips, object rectangles, object links, object leaf_share, long leaf_count, object legal, object linked, object edges, double height)

@cython.locals(place='double[::1]', strip='double[::1]', number='long[::1]', flags='long[::1]', inner='long[::1]', is_link='long[::1]', prose='double[::1]', is_text='double[::1]', firsts='long[::1]', seconds='long[::1]', count=long, products=long, columns=long, found='double[::1]', leaf=long, row=long, at=long, of_part=long, pair=long)
cpdef object sweep_rows(object places, object strips, object strip_of, object flags_of, object of_leaf, object links, object long_text, object text, object kinds, long flag_count, tuple pairs)

@cython.locals(frame='double[::1]', column='double[::1]', is_right='long[::1]', number='long[::1]', found='double[::1]', leaf=long, at=long, one=long)
cpdef object sweep_gains(object scores, object side, object right_side, object of_leaf, double most)

@cython.locals(gain='double[::1]', parent='long[::1]', last='long[::1]', first='long[::1]', end='long[::1]', inner='long[::1]', parts=long, leaves=long, running='double[::1]', alone='double[::1]', alone_area='long[::1]', whole='double[::1]', whole_area='long[::1]', pieces='double[::1]', takes_whole='long[::1]', leaf=long, part=long, most='double[::1]', area=long, best=double, value=double)
cpdef object sweep_partition(object gains, object above, object last_part, object first_leaf, object end_leaf, object of_leaf, double price, double further)

@cython.locals(box='double[::1]', density='double[::1]', first='long[::1]', end='long[::1]', area='long[::1]', part=long, at=long)
cpdef object sweep_bars(object rectangles, object links, object first_leaf, object end_leaf, object part_area, double lowest)
