"""The compiled reader of trees: lxml's own nodes, without an object of Python's for each (see parcels/tree.py).

Only fields of libxml2's structs are read, so nothing is linked but what lxml exports. The root is held by the caller,
and with it the whole tree; nothing is kept of a node when the reading is done.
"""

from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memset, strlen
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Element, attributeValue, import_lxml__etree, namespacedName, tailOf, textOf
)

import sys

import numpy as np

cdef extern from "Python.h":
    PyObject* PyDict_SetDefault(object, object, object) except NULL

import_lxml__etree()

DEF SLOTS = 512  # a power of two

cdef struct Name:  # of a tag or attribute: what its address in the tree was read as
    const tree.xmlChar* at
    PyObject* text
    int number
    bint is_noted


cdef class _Names:
    """The names of one tree. The parser keeps one copy of each, so their addresses tell them apart."""

    cdef Name slots[SLOTS]
    cdef list kept  # holds the strings that the slots point to
    cdef dict number
    cdef tuple noted

    def __cinit__(self, dict number, tuple noted):
        memset(self.slots, 0, sizeof(self.slots))
        self.kept = []
        self.number = number
        self.noted = noted

    cdef Name* of(self, const tree.xmlChar* at) except NULL:
        cdef Name* name = &self.slots[((<size_t> at >> 2) ^ (<size_t> at >> 11)) & (SLOTS - 1)]
        if name.at != at:
            text = sys.intern(_decoded(at))
            self.kept.append(text)
            name.at = at
            name.text = <PyObject*> text
            name.number = self.number.get(text, 0)
            name.is_noted = text in self.noted
        return name


def read(_Element root not None, dict number not None, bytes shut not None, tuple noted not None, nothing):
    """The lists and arrays of `parcels.tree.Tree`, in its order."""
    cdef tree.xmlNode* top = root._c_node
    if top is NULL or top.type != tree.XML_ELEMENT_NODE:
        raise ValueError("parcels: the root of a tree must be an element")
    cdef _Names names = _Names(number, noted)
    cdef const unsigned char* shut_of = shut
    cdef int shut_count = <int> len(shut)
    cdef int count = _count(top)
    cdef list tags = [], attributes = [], texts = [], tails = [], behind = [], noted_rows = []
    numbers, parents, depths, lasts = (
        np.zeros(count, np.int16), np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int32)
    )
    cdef short[::1] kind = numbers
    cdef int[::1] parent = parents, depth = depths, last = lasts
    cdef tree.xmlNode* node = top.children
    cdef tree.xmlNode* holder = top  # the open element, in row `above`
    cdef int row = 0, above = 0, level = 0
    cdef int inside = -1  # the row of the outermost opaque element that is open
    cdef int shutting
    cdef bint is_noted = False
    cdef Name* name

    tag, kind[0] = _tag(top, names)
    tags.append(tag)
    attributes.append(_attributes(top, names, &is_noted) if top.properties is not NULL else {})
    texts.append(_text(top))
    tails.append(None)
    parent[0], depth[0], last[0] = -1, 0, 0
    if is_noted:
        noted_rows.append(0)
    while True:
        while node is not NULL and not _is_item(node):
            node = node.next
        if node is NULL:
            last[above] = row
            if above == 0:
                break
            if inside == above:
                inside = -1
            node, holder, above = holder.next, holder.parent, parent[above]
            level -= 1
            continue
        if node.type != tree.XML_ELEMENT_NODE:
            if inside < 0:
                tail = _tail(node)
                if tail:
                    behind.append((row + 1, above, tail))
            node = node.next
            continue
        row += 1
        if node.ns is NULL:
            name = names.of(node.name)
            tags.append(<object> name.text)
            kind[row] = name.number
        else:
            tag, kind[row] = _tag(node, names)
            tags.append(tag)
        parent[row], depth[row], last[row] = above, level + 1, row
        shutting = shut_of[kind[row]] if kind[row] < shut_count else 0
        if inside < 0:
            if node.properties is not NULL:
                is_noted = False
                attributes.append(_attributes(node, names, &is_noted) or nothing)
                if is_noted:
                    noted_rows.append(row)
            else:
                attributes.append(nothing)
            texts.append(_text(node) if shutting != 1 else None)
            tails.append(_tail(node))
            if shutting:
                inside = row  # whether it holds anything is seen below
        else:
            attributes.append(nothing)
            texts.append(None)
            tails.append(None)
        if node.children is NULL:
            if inside == row:
                inside = -1
            node = node.next
        else:
            holder, above, node = node, row, node.children
            level += 1
    return tags, attributes, texts, tails, behind, noted_rows, numbers, parents, depths, lasts


cdef inline bint _is_item(tree.xmlNode* node) noexcept:
    """What lxml has an object for; text stands before, between and behind these."""
    return (
        node.type == tree.XML_ELEMENT_NODE or node.type == tree.XML_COMMENT_NODE
        or node.type == tree.XML_PI_NODE or node.type == tree.XML_ENTITY_REF_NODE
    )


cdef inline bint _is_text(tree.xmlNode* node) noexcept:
    """What lxml reads as text, or reads over within one."""
    return (
        node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE
        or node.type == tree.XML_XINCLUDE_START or node.type == tree.XML_XINCLUDE_END
    )


cdef int _count(tree.xmlNode* top) except -1:
    """How many elements the tree has."""
    cdef tree.xmlNode* node = top
    cdef int count = 0
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            count += 1
            if node.children is not NULL:
                node = node.children
                continue
        while node is not top and node.next is NULL:
            node = node.parent
        if node is top:
            return count
        node = node.next


cdef inline str _decoded(const tree.xmlChar* text):
    return PyUnicode_DecodeUTF8(<const char*> text, strlen(<const char*> text), NULL)


cdef tuple _tag(tree.xmlNode* node, _Names names):
    """The tag and its number, of an element that may be in a namespace."""
    tag = namespacedName(node)
    return tag, names.number.get(tag, 0)


cdef inline _text(tree.xmlNode* node):
    cdef tree.xmlNode* first = node.children
    if first is NULL or not _is_text(first):
        return None
    if _is_plain(first):
        return _decoded(first.content)
    return textOf(node)


cdef inline _tail(tree.xmlNode* node):
    cdef tree.xmlNode* first = node.next
    if first is NULL or not _is_text(first):
        return None
    if _is_plain(first):
        return _decoded(first.content)
    return tailOf(node)


cdef inline bint _is_plain(tree.xmlNode* node) noexcept:
    """True where a text is one node."""
    return (
        node.type == tree.XML_TEXT_NODE and node.content is not NULL and (node.next is NULL or not _is_text(node.next))
    )


cdef dict _attributes(tree.xmlNode* node, _Names names, bint* is_noted):
    cdef dict given = {}
    cdef tree.xmlAttr* attribute = node.properties
    cdef tree.xmlNode* value
    cdef Name* name
    while attribute is not NULL:
        if attribute.type == tree.XML_ATTRIBUTE_NODE:
            value = attribute.children
            if value is NULL:
                text = ""
            elif value.type == tree.XML_TEXT_NODE and value.next is NULL and value.content is not NULL:
                text = _decoded(value.content)
            else:
                text = attributeValue(node, attribute)
            if attribute.ns is NULL:
                name = names.of(attribute.name)
                if name.is_noted:
                    is_noted[0] = True
                PyDict_SetDefault(given, <object> name.text, text)
            else:
                PyDict_SetDefault(given, namespacedName(<tree.xmlNode*> attribute), text)
        attribute = attribute.next
    return given
