# The C types of the loops in sweeps.py.
cimport cython

cdef double NAN, EDGE_SHARE, TALL_PX, EQUAL_GAP, BAR_SHARE, BAR_PX, BAR_LINKS
cdef long SHORT_LINK, LONG_LINK, BAR_LEAVES

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

@cython.locals(prose='double[::1]', box='double[::1]', total=double, leaf=long)
cpdef object sweep_edges(object long_text, object boxes, double height)

@cython.locals(box='double[::1]', around='double[::1]', parent='long[::1]', inner='long[::1]', prose='double[::1]', count=long, found='double[::1]', total=double, leaf=long, has_long=bint, late=long, so_far=double, at=long, top=double, bottom=double, up=double, back=double, before=double, after=double, part=long)
cpdef object sweep_leaves(object boxes, object rectangles, object above, object of_leaf, object long_text, object rights, double height)

@cython.locals(chosen='long[::1]', around='double[::1]', density='double[::1]', share='double[::1]', named='double[::1]', above=double, below=double, found='double[::1]', number=long, part=long, at=long, top=double, bottom=double, up=double)
cpdef object sweep_strips(object strips, object rectangles, object links, object leaf_share, object legal, object edges, double height)

@cython.locals(place='double[::1]', strip='double[::1]', number='long[::1]', flags='long[::1]', inner='long[::1]', is_link='long[::1]', prose='double[::1]', is_text='double[::1]', firsts='long[::1]', seconds='long[::1]', count=long, products=long, columns=long, found='double[::1]', leaf=long, row=long, at=long, of_part=long, pair=long)
cpdef object sweep_rows(object places, object strips, object strip_of, object flags_of, object of_leaf, object links, object long_text, object text, object kinds, long flag_count, tuple pairs)

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

@cython.locals(frame='double[::1]', column='double[::1]', is_right='long[::1]', number='long[::1]', found='double[::1]', leaf=long, at=long, one=long)
cpdef object sweep_gains(object scores, object side, object right_side, object of_leaf, double most)

@cython.locals(gain='double[::1]', parent='long[::1]', last='long[::1]', first='long[::1]', end='long[::1]', inner='long[::1]', parts=long, leaves=long, running='double[::1]', alone='double[::1]', alone_area='long[::1]', whole='double[::1]', whole_area='long[::1]', pieces='double[::1]', takes_whole='long[::1]', leaf=long, part=long, most='double[::1]', area=long, best=double, value=double)
cpdef object sweep_partition(object gains, object above, object last_part, object first_leaf, object end_leaf, object of_leaf, double price, double further)

@cython.locals(box='double[::1]', density='double[::1]', first='long[::1]', end='long[::1]', area='long[::1]', part=long, at=long)
cpdef object sweep_bars(object rectangles, object links, object first_leaf, object end_leaf, object part_area, double lowest)

cdef void _widen(double[::1] found, long at, double left, double top, double right, double bottom)
