cimport cython
from parcels.css.selectors.names cimport Names
from parcels.css.selectors.active cimport ActiveSelector, StyleGroup, new_active_selector, new_style_group
from parcels.css.compute cimport StyleComputer
from parcels.css.contexts cimport Contexts
from parcels.css.sheets.declarations cimport Block
from parcels.css.selectors.kinds cimport ElementKind, ElementKinds, RuleDependencies, Tag
from parcels.css.selectors.matching cimport SelectorMatcher
from parcels.css.sheets.packed cimport PackedValues
from parcels.css.sheets.rules cimport Rule, Sheet
from parcels.css.selectors.compound cimport Selector
from parcels.maps cimport IntMap, pair_key

cdef frozenset _NO_NAMES
cdef int MAX_MATCHED
cdef PackedValues _HIDDEN, _SHOWN, _NO_DEFAULTS

cdef class _Cascade:
    cdef public object page, page_sheets
    cdef public bint is_quirky, has_layers
    cdef public SelectorMatcher tree
    cdef public StyleComputer computer
    cdef public Contexts context
    cdef public RuleDependencies dependencies
    cdef public ElementKinds kinds
    cdef public dict plain, positional, styles
    cdef public list active, plain_keys, positional_keys
    @cython.locals(
        row=int, values=dict, names=set, known=dict, split=list, idents=list, hashed=list, classes=list, groups=list,
        group="int[::1]", ident=str, text=str, attributes=list, own=list, name=str, dotted=str,
        length=cython.Py_ssize_t, number=int
    )
    cpdef set read_elements(self)
    @cython.locals(
        sheet=Sheet, place=int, name=str, selector=Selector, rule=Rule, active=ActiveSelector, layer_name=str, group=dict, number=int,
        rank=int, names=Names, dependencies=RuleDependencies, by_specificity=dict, same=list
    )
    cpdef activate(self, set page_names)
    @cython.locals(
        tree=SelectorMatcher, is_hidden=list, is_inside=bytes, parents="int[::1]", kinds=ElementKinds, positional=dict,
        group_numbers=IntMap, style_groups=list, hidden_groups=dict, count=int, styles="int[::1]", contexts="int[::1]",
        row=int, above=int, parent=int, style_group=StyleGroup, kind=ElementKind, number=int
    )
    cpdef object style_nodes(self)
    @cython.locals(extra=list, active=ActiveSelector, variant=StyleGroup)
    cdef StyleGroup variant_for(self, StyleGroup style_group, int row, ElementKind kind, int above)
    @cython.locals(
        context=Contexts, tree=SelectorMatcher, tag=Tag, hint_attributes=tuple, attributes=dict, active=ActiveSelector, rules=list, in_list=bint,
        is_hidden=bint, is_head=bint, layers=list, number=object, style_above=int, inherited=int, at=int,
        ua_values=PackedValues
    )
    cdef add(self, StyleGroup style_group, int row, ElementKind kind, int above, list matched)
    @cython.locals(style_group=StyleGroup, context=Contexts)
    cdef StyleGroup add_hidden(self, int above)
    cdef bint is_bare(self, int row) except -1
    @cython.locals(
        groups=list, selectors=list, keys=list, attributes=dict, matching=list, ancestor_names=frozenset, ancestor_bits=cython.ulonglong, own=set, name=str, key=str,
        selector=ActiveSelector, own_bits=cython.ulonglong
    )
    cdef list candidates(self, dict active, int row, ElementKind kind, int above)
    @cython.locals(rule=Rule, block=Block, inline=Block)
    cdef cascade(self, list layers, list rules, list matched, str style)
