cimport cython
from parcels.css.selectors.names cimport Names
from parcels.css.selectors.scan cimport plain_compounds, plain_parts

cdef class AttributeTest:
    cdef public str name, operator, value
    cdef public bint ignores_case

cdef class Compound:
    cdef public str tag, ident
    cdef public tuple classes, tests
    cpdef list names(self)

cdef class Selector:
    cdef public tuple compounds, combinators, keys
    cdef public long long specificity
    cdef public frozenset own, ancestor_names, names, context, attributes
    cdef public bint is_positional, is_never, has_nameless, is_names_only
    cdef public str text
    cpdef bint make_compounds(self) except -1

cdef frozenset _NO_NAMES, _NO_TESTS
cdef long long _ID, _CLASS, _TAG
@cython.locals(
    specificity=cython.longlong, name=str, own=list, ancestor_names=list, left=str, cut=cython.Py_ssize_t, is_whole=bint,
    rarity=int, key=str, has_nameless=bint, parts=tuple, own_names=frozenset, ancestor_set=frozenset, plain=Selector
)
cpdef Selector plain_selector(str text, Names page_names=*)
cdef _compounds(str text)
@cython.locals(made=Selector)
cpdef Selector build_selector(
    tuple compounds, tuple combinators, long long specificity, set inner_names, frozenset attributes, bint is_positional
)
