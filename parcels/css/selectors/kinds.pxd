cimport cython
from parcels.css.selectors.active cimport bloom_bits
from parcels.css.selectors.matching cimport SelectorMatcher
from parcels.css.sheets.packed cimport PackedValues
from parcels.css.selectors.compound cimport AttributeTest
from parcels.maps cimport IntMap, pair_key

cdef frozenset _NO_NAMES
cdef tuple _NO_HINTS

cdef class RuleDependencies:
    cdef public set names, ancestor_names, ancestor_tests
    cdef public dict tests, pseudo_tests

cdef class Tag:
    cdef public str name
    cdef public int number, bare
    cdef public tuple hint_attributes
    cdef public frozenset style_attributes, tested_attributes
    cdef public bint is_link, is_list, is_cell, is_hinted, is_table, is_body, is_head
    cdef public PackedValues default, default_in_list

cdef class ElementKind:
    cdef public int number, ancestor_signature
    cdef public Tag tag
    cdef public tuple names, hint_attributes, test_results
    cdef public set own
    cdef public frozenset ancestor_names
    cdef public unsigned long long ancestor_bits, own_bits

cdef class ElementKinds:
    cdef SelectorMatcher tree
    cdef RuleDependencies dependencies
    cdef public str link_colour
    cdef set _relevant
    cdef dict _tags, _special, _number_of, _results_by_value, _signatures
    cdef int _tag_count
    cdef Tag _links
    cdef list _kinds, _names, _group_names
    cdef IntMap _by_names
    cpdef colour_links(self, str colour)
    @cython.locals(tree=SelectorMatcher, name=str, attributes=dict, tag=Tag, ident=str, number=int, known=int, kind=ElementKind, key=cython.ulonglong)
    cpdef ElementKind of(self, int row)
    cdef Tag _new_tag(self, str name, tuple hint_attributes)
    @cython.locals(known=int, names=tuple, name=str)
    cdef int _names_of(self, int group) except -1
    @cython.locals(names=tuple, ident=str, hint_attributes=tuple, name=str, test_results=tuple, kind=ElementKind)
    cdef ElementKind _special_kind(self, int row, Tag tag, dict attributes)
    @cython.locals(results=list, name=str, value=str, tests=list, by_value=dict, known=list)
    cdef tuple _test_results(self, int row, dict attributes)
    @cython.locals(kind=ElementKind, dependencies=RuleDependencies, own=list, name=str)
    cdef ElementKind _new(self, Tag tag, tuple names, tuple hint_attributes, tuple test_results)
