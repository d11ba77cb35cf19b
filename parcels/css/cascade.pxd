cimport cython
from parcels.css.selectors.names cimport Names
from parcels.css.selectors.active cimport Active, Look, active_of, look_of
from parcels.css.compute cimport Computer
from parcels.css.contexts cimport Contexts
from parcels.css.sheets.declarations cimport Block
from parcels.css.selectors.kinds cimport Kind, Kinds, Questions, Tag
from parcels.css.selectors.matching cimport Tree
from parcels.css.sheets.packed cimport Packed
from parcels.css.sheets.rules cimport Rule, Sheet
from parcels.css.selectors.compound cimport Selector
from parcels.maps cimport IntMap, pair_key

cdef frozenset _NO_NAMES
cdef int MAX_MATCHED
cdef Packed _HIDDEN, _SHOWN, _NO_DEFAULTS

cdef class _Cascade:
    cdef public object page, found
    cdef public bint is_quirky, has_layers
    cdef public Tree tree
    cdef public Computer computer
    cdef public Contexts context
    cdef public Questions asked
    cdef public Kinds kinds
    cdef public dict plain, positional, styles
    cdef public list active, plain_keys, positional_keys
    @cython.locals(
        row=int, given=dict, names=set, known=dict, split=list, idents=list, hashed=list, classes=list, groups=list,
        group="int[::1]", ident=str, text=str, attributes=list, own=list, name=str, dotted=str,
        length=cython.Py_ssize_t, number=int
    )
    cpdef set read_elements(self)
    @cython.locals(
        sheet=Sheet, place=int, name=str, selector=Selector, rule=Rule, active=Active, own=str, group=dict, number=int,
        rank=int, names=Names, questions=Questions, weighed=dict, same=list
    )
    cpdef activate(self, set seen)
    @cython.locals(
        tree=Tree, is_hidden=list, is_inside=bytes, parents="int[::1]", kinds=Kinds, positional=dict,
        known=IntMap, looks=list, hidden=dict, count=int, styles="int[::1]", contexts="int[::1]",
        row=int, above=int, parent=int, look=Look, kind=Kind, number=int
    )
    cpdef object style_nodes(self)
    @cython.locals(extra=list, active=Active, made=Look)
    cdef Look beside(self, Look look, int row, Kind kind, int above)
    @cython.locals(
        context=Contexts, tree=Tree, tag=Tag, looks=tuple, given=dict, active=Active, rules=list, in_list=bint,
        is_hidden=bint, is_head=bint, layers=list, number=object, style_above=int, heritage=int, at=int,
        by_default=Packed
    )
    cdef add(self, Look look, int row, Kind kind, int above, list matched)
    @cython.locals(look=Look, context=Contexts)
    cdef Look add_hidden(self, int above)
    cdef bint is_bare(self, int row) except -1
    @cython.locals(
        groups=list, same=list, keys=list, given=dict, found=list, names_above=frozenset, bits_above=cython.ulonglong, own=set, name=str, key=str,
        one=Active, own_bits=cython.ulonglong
    )
    cdef list candidates(self, dict active, int row, Kind kind, int above)
    @cython.locals(rule=Rule, block=Block, inline=Block)
    cdef cascade(self, list layers, list rules, list matched, str style)
