cimport cython
from parcels.css.compute cimport Computer
from parcels.css.contexts cimport Contexts
from parcels.css.matching cimport Tree
from parcels.css.rules cimport Rule
from parcels.css.selectors cimport Selector

@cython.no_gc
cdef class Active:
    cdef public Selector selector
    cdef public Rule rule
    cdef public tuple priority
    cdef public frozenset own, above
    cdef public int number
    cdef public unsigned long long above_bits

cdef class _Look:
    cdef list candidates
    cdef dict made
    cdef tuple plain

cdef list _BITS
@cython.locals(made=cython.ulonglong)
cdef unsigned long long _bits(object names)

cdef class _Cascade:
    cdef public object page, found
    cdef public bint is_quirky, has_layers
    cdef public Tree tree
    cdef public Computer computer
    cdef public Contexts context
    cdef public dict plain, positional, tests, styles
    cdef public list active, attribute_keys
    cdef public set relevant, relevant_above, tests_above
    cdef public str link_colour
    @cython.locals(row=int, given=dict, names=set, split=dict, idents=list, classes=list, style=str, ident=str, text=str, found=tuple, attributes=list)
    cpdef set read_elements(self)
    @cython.locals(place=int, name=str, selector=Selector, rule=Rule, active=Active, own=str, group=dict, number=int)
    cpdef activate(self, set seen)
    @cython.locals(
        tree=Tree, is_hidden=list, is_inside=list, positional=dict, tests=dict, relevant=set, known=dict,
        relevant_classes=dict, hidden=dict, contexts=list, styles=list, row=int, parent=int, tag=str, given=dict,
        above=int, names=tuple, looks=tuple, answers=tuple, classes=tuple, ident=str, found=tuple, look=_Look,
        result=tuple, active=Active, extra=tuple, signature=tuple, interesting=frozenset, tags=list, attributes=list, parents=list
    )
    cpdef list style_nodes(self)
    cdef tuple answers(self, int row, dict given)
    @cython.locals(
        above=int, tag=str, names=tuple, looks=tuple, answers=tuple, context=Contexts, tree=Tree, given=dict,
        active=Active, matched=list, rules=list, rule=Rule, in_list=bint, is_hidden=bint, specified=dict, number=object,
        style_above=int, heritage=int, own=list
    )
    cdef tuple add(self, int row, tuple signature, tuple extra)
    cdef tuple add_hidden(self, int above)
    cdef bint is_bare(self, int row) except -1
    @cython.locals(
        keys=list, given=dict, found=list, names_above=frozenset, bits_above=cython.ulonglong, own=set,
        one=Active
    )
    cdef list candidates(self, dict active, int row, str tag, tuple names, int above)
    @cython.locals(rule=Rule)
    cdef cascade(self, dict specified, list rules, list matched, str style)
