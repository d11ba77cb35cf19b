cimport cython
from parcels.css.selectors.active cimport bits_of
from parcels.css.selectors.matching cimport Tree
from parcels.css.sheets.packed cimport Packed
from parcels.css.selectors.compound cimport Attribute
from parcels.maps cimport IntMap, pair_key

cdef frozenset _NO_NAMES
cdef tuple _NO_LOOKS

cdef class Questions:
    cdef public set names, names_above, tests_above
    cdef public dict tests, facts

cdef class Tag:
    cdef public str name
    cdef public int number, bare
    cdef public tuple looks
    cdef public frozenset interesting, watched
    cdef public bint is_link, is_list, is_cell, is_hinted, is_table, is_body, is_head
    cdef public Packed default, default_in_list

cdef class Kind:
    cdef public int number, sight
    cdef public Tag tag
    cdef public tuple names, looks, answers
    cdef public set own
    cdef public frozenset seen
    cdef public unsigned long long bits, own_bits

cdef class Kinds:
    cdef Tree tree
    cdef Questions asked
    cdef public str link_colour
    cdef set _relevant
    cdef dict _tags, _special, _number_of, _answered, _sights
    cdef int _tag_count
    cdef Tag _links
    cdef list _kinds, _names, _group_names
    cdef IntMap _by_names
    cpdef colour_links(self, str colour)
    @cython.locals(tree=Tree, name=str, given=dict, tag=Tag, ident=str, number=int, known=int, made=Kind, key=cython.ulonglong)
    cpdef Kind of(self, int row)
    cdef Tag _new_tag(self, str name, tuple looks)
    @cython.locals(known=int, names=tuple, name=str)
    cdef int _names_of(self, int group) except -1
    @cython.locals(names=tuple, ident=str, looks=tuple, name=str, answers=tuple, kind=Kind)
    cdef Kind _special_kind(self, int row, Tag tag, dict given)
    @cython.locals(found=list, name=str, value=str, tests=list, same=dict, known=list)
    cdef tuple _answers(self, int row, dict given)
    @cython.locals(made=Kind, asked=Questions, own=list, name=str)
    cdef Kind _new(self, Tag tag, tuple names, tuple looks, tuple answers)
