cimport cython
from parcels.css cimport names_fast
from parcels.css.active cimport Active, Look, bits_of
from parcels.css.compute cimport Computer
from parcels.css.contexts cimport Contexts
from parcels.css.declarations cimport Block
from parcels.css.matching cimport Tree
from parcels.css.rules cimport Rule, Sheet
from parcels.css.selectors cimport Selector

cdef dict INTERESTING
cdef frozenset ALWAYS_INTERESTING

cdef class _Cascade:
    cdef public object page, found
    cdef public bint is_quirky, has_layers
    cdef public Tree tree
    cdef public Computer computer
    cdef public Contexts context
    cdef dict dotted
    cdef public dict plain, positional, tests, facts, answered, styles, defaults, defaults_in_list
    cdef public list active, attribute_keys
    cdef public set relevant, relevant_above, tests_above
    cdef public str link_colour
    @cython.locals(row=int, given=dict, names=set, split=dict, idents=list, classes=list, style=str, ident=str, text=str, found=tuple, attributes=list, dotted=dict, own=list, name=str)
    cpdef set read_elements(self)
    @cython.locals(
        sheet=Sheet, place=int, name=str, selector=Selector, rule=Rule, active=Active, own=str, group=dict, number=int,
        rank=int, names=names_fast.Names
    )
    cpdef activate(self, set seen)
    @cython.locals(
        tree=Tree, is_hidden=list, is_inside=list, positional=dict, tests=dict, relevant=set, known=dict,
        relevant_classes=dict, hidden=dict, contexts=list, styles=list, row=int, parent=int, tag=str, given=dict,
        above=int, names=tuple, looks=tuple, answers=tuple, classes=tuple, ident=str, found=tuple, look=Look,
        result=tuple, active=Active, extra=tuple, signature=tuple, interesting=frozenset, tags=list, attributes=list, parents=list
    )
    cpdef list style_nodes(self)
    @cython.locals(found=list, name=str, value=str, tests=list, known=list)
    cdef tuple answers(self, int row, dict given)
    @cython.locals(
        above=int, tag=str, names=tuple, looks=tuple, answers=tuple, context=Contexts, tree=Tree, given=dict,
        active=Active, matched=list, rules=list, rule=Rule, in_list=bint, is_hidden=bint, layers=list, number=object,
        style_above=int, heritage=int, own=list, at=int
    )
    cdef tuple add(self, int row, tuple signature, tuple extra)
    @cython.locals(known=dict, values=dict)
    cdef dict default(self, str tag, bint in_list)
    cdef tuple add_hidden(self, int above)
    cdef bint is_bare(self, int row) except -1
    @cython.locals(
        keys=list, given=dict, found=list, names_above=frozenset, bits_above=cython.ulonglong, own=set, name=str, key=str,
        one=Active
    )
    cdef list candidates(self, dict active, int row, str tag, tuple names, int above)
    @cython.locals(rule=Rule, block=Block, inline=Block)
    cdef cascade(self, list layers, list rules, list matched, str style)
