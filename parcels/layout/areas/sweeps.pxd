# The C types of the loops in sweeps.py.
cimport cython

cdef double NAN

@cython.locals(first='long[::1]', end='long[::1]', parent='long[::1]', node='long[::1]', count=long, leaves=long, part_of='long[::1]', holders='long[::1]', first_holder='long[::1]', row='long[::1]', part_parent='long[::1]', held=long, parts=long, at=long, last='long[::1]', part_first='long[::1]', part_end='long[::1]', part=long, of_leaf='long[::1]', leaf=long, up=long, outer=long)
cpdef object sweep_parts(object first_leaf, object end_leaf, object above, object leaf_node)

@cython.locals(box='double[::1]', count=long, found='double[::1]', start=double, stop=double, lowest=double, leaf=long, extent=double, at=long, right=double, bottom=double)
cpdef object sweep_shares(object leaves, object hidden, double width, double height)

@cython.locals(is_link='long[::1]', count=long, is_text='double[::1]', letters='double[::1]', linked='double[::1]', prose='double[::1]', leaf=long, size=long)
cpdef object sweep_text(object kinds, object texts, object links, long least)

@cython.locals(box='double[::1]', parent='long[::1]', inner='long[::1]', parts=long, found='double[::1]', leaf=long, part=long, at=long)
cpdef object sweep_rectangles(object boxes, object above, object of_leaf)

@cython.locals(value='double[::1]', parent='long[::1]', inner='long[::1]', found='double[::1]', leaf=long, part=long)
cpdef object sweep_sums(object values, object above, object of_leaf)

@cython.locals(box='double[::1]', last='long[::1]', first='long[::1]', end='long[::1]', parts=long, chosen='long[::1]', of_leaf='long[::1]', low=long, high=long, count=long, part=long, leaf=long)
cpdef object sweep_outermost(object rectangles, bint is_across, double most, object last_part, object first_leaf, object end_leaf, long leaves)

@cython.locals(at=long, flags=long, tag=long)
cpdef object sweep_own_flags(list rows, list tags, object attributes, list of_tag, list is_phrase, object of_name, object of_role, long ad, long banner)

@cython.locals(own='long[::1]', first='long[::1]', parent='long[::1]', share='double[::1]', of_wrapper=long, in_article=long, of_header=long, inner_header=long, of_footer=long, inner_footer=long, of_part=long, of_content=long, parts=long, holders=long, found='long[::1]', part=long, flags=long, holder=long, given=long)
cpdef object sweep_inherited(object own_flags, object first_holder, object above, object leaf_share, double most, object masks)

cdef void _widen(double[::1] found, long at, double left, double top, double right, double bottom)
