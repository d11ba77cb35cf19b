"""The compiled reader of trees: lxml's own nodes, without an object of Python's for each (see parcels/html/tree.py).

Only fields of libxml2's structs are read, so nothing is linked but what lxml exports. The root is held by the caller,
and with it the whole tree; nothing is kept of a node when the reading is done.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset, strcmp, strlen
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Element, attributeValue, elementFactory, import_lxml__etree, namespacedName, tailOf, textOf
)
from parcels.html.tree_nodes cimport element_count, is_item, is_plain, is_simple, is_text

import sys

import numpy as np

cdef extern from "Python.h":
    PyObject* PyDict_SetDefault(object, object, object) except NULL
    int PyDict_Next(PyObject*, Py_ssize_t*, PyObject**, PyObject**) noexcept
    Py_ssize_t PyDict_Size(PyObject*) noexcept
    list PyList_New(Py_ssize_t)
    void PyList_SET_ITEM(list, Py_ssize_t, object) noexcept
    object PyUnicode_New(Py_ssize_t, Py_UCS4)
    void* PyUnicode_DATA(PyObject*) noexcept
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject*) noexcept

import_lxml__etree()

# Places in the tables, as powers of two: of a page's names and dicts, and of the names and texts of all pages.
DEF PAGE_NAMES = 9
DEF PAGE_DICTS = 8
DEF NAMES = 10
DEF TEXTS = 11
DEF TRIES = 4  # places that are looked at for a name of the page
DEF LONGEST = 64  # bytes of a text that is shared: longer ones hardly ever come twice
DEF MOST = 16  # attributes of an element whose dict is shared
DEF SPREAD = 0x9E3779B97F4A7C15  # 2 to the 64 by the golden ratio: its bits are as good as random
DEF HIDING = 1  # bits of a name: one that can hide an element, itemprop
DEF ITEMPROP = 2
DEF HIGH = 0x8080808080808080  # the bit of each of eight bytes that ASCII leaves free

cdef struct Bytes:  # a text as the tree has it
    const tree.xmlChar* at
    Py_ssize_t size
    uint64_t mark  # distinguishes it from most others; 0 for a long one
    bint is_ascii


cdef struct Name:  # of a tag or attribute
    const tree.xmlChar* at  # in the tree that is read, which has one copy of each
    PyObject* text
    int number
    int bits


cdef struct Given:  # an element's attributes
    uint64_t mark
    PyObject* attributes


cdef struct Page:
    Name names[1 << PAGE_NAMES]
    Given given[1 << PAGE_DICTS]


def count_elements(_Element root not None):
    """Return the number of elements in a tree."""
    return 0 if root._c_node is NULL else element_count(root._c_node)


cdef class Reader:
    """Reads trees; what it is made with is explained in parcels/html/tree.py.

    Names, classes and the white space between tags come again and again, on a page and on the next one: one string
    serves for all, and its hash is computed once. What comes to a place that is taken takes it over, so that the
    tables never grow.
    """

    cdef PyObject* texts[1 << TEXTS]
    cdef Name names[1 << NAMES]
    cdef dict number
    cdef bytes content_mode, is_metadata, itemprop_utf8
    cdef tuple hiding_names
    cdef str itemprop
    cdef dict no_attributes

    def __cinit__(
        self, dict number not None, bytes content_mode not None, bytes is_metadata not None, tuple hiding_names not None,
        str itemprop not None, dict no_attributes not None,
    ):
        self.number, self.content_mode, self.is_metadata, self.hiding_names, self.no_attributes = number, content_mode, is_metadata, hiding_names, no_attributes
        self.itemprop, self.itemprop_utf8 = itemprop, itemprop.encode("utf-8")

    def __dealloc__(self):
        cdef int place
        for place in range(1 << TEXTS):
            Py_XDECREF(self.texts[place])
        for place in range(1 << NAMES):
            Py_XDECREF(self.names[place].text)

    def read(self, _Element root not None):
        """The lists and arrays of `parcels.html.tree.FlatTree`, in its order."""
        cdef tree.xmlNode* top = root._c_node
        if top is NULL or top.type != tree.XML_ELEMENT_NODE:
            raise ValueError("parcels: the root of a tree must be an element")
        cdef Page page
        memset(&page, 0, sizeof(page))
        cdef const unsigned char* mode_of = self.content_mode
        cdef const unsigned char* is_metadata_of = self.is_metadata
        cdef const char* itemprop = self.itemprop_utf8
        cdef int mode_count = <int> min(len(self.content_mode), len(self.is_metadata))
        cdef int count = element_count(top)
        cdef list tags = PyList_New(count), attributes = PyList_New(count)
        cdef list texts = PyList_New(count), tails = PyList_New(count)
        cdef list comment_tails = [], hiding_rows = [], metadata = []
        cdef list kept = []  # holds the names that the page's table points to
        numbers, parents, depths, lasts = (
            np.empty(count, np.int16), np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int32)
        )
        blanks = np.zeros(count, np.uint8)
        cdef unsigned char[::1] after_blank = blanks
        cdef short[::1] kind = numbers
        cdef int[::1] parent = parents, depth = depths, last = lasts
        cdef tree.xmlNode* node = top
        cdef tree.xmlNode* holder = NULL  # the open element, in row `above`
        cdef int row = -1, above = -1, level = 0
        cdef int inside = -1  # the row of the outermost opaque element that is open
        cdef int number, mode, bits
        cdef Name* name

        while True:
            while node is not NULL and not is_item(node):
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
                    tail = self.tail(node)
                    if tail:
                        comment_tails.append((row + 1, above, tail))
                node = node.next
                continue
            row += 1
            if row == count:
                raise RuntimeError("parcels: the tree was changed while it was read")
            if node.ns is NULL:
                name = self.name(node.name, &page, kept)
                number = name.number
                _put(tags, row, <object> name.text)
            else:
                tag = namespacedName(node)
                number = self.number.get(tag, 0)
                _put(tags, row, tag)
            kind[row], parent[row], depth[row], last[row] = number, above, level, row
            if inside < 0:
                mode = mode_of[number] if 0 < row and number < mode_count else 0
                bits = 0
                _put(
                    attributes, row,
                    self.no_attributes if node.properties is NULL else self.attributes(node, &page, kept, &bits),
                )
                if bits & HIDING:
                    hiding_rows.append(row)
                if row and node.prev is not NULL and is_text(node.prev):
                    after_blank[row] = _ends_in_blank(node.prev)
                _put(texts, row, self.text(node) if mode != 1 else None)
                _put(tails, row, self.tail(node) if row else None)
                if mode:
                    inside = row  # whether it holds anything is seen below
            else:
                bits = ITEMPROP if _has_attribute(node, itemprop) else 0
                _put(attributes, row, self.no_attributes)
                _put(texts, row, None)
                _put(tails, row, None)
            if bits & ITEMPROP or (number < mode_count and is_metadata_of[number] and node.ns is NULL):
                metadata.append((row, elementFactory(root._doc, node)))
            if node.children is NULL and row:
                if inside == row:
                    inside = -1
                node = node.next
            else:
                holder, above, node = node, row, node.children
                level += 1
        return tags, attributes, texts, tails, comment_tails, hiding_rows, numbers, parents, depths, lasts, blanks, metadata

    cdef inline Name* name(self, const tree.xmlChar* at, Page* page, list kept) except NULL:
        """The name at an address; it stays until the next one is asked for."""
        cdef size_t first = (<uint64_t> <size_t> at * <uint64_t> SPREAD) >> (64 - PAGE_NAMES)
        cdef Name* name
        cdef int n
        for n in range(TRIES):
            name = &page.names[(first + n) & ((1 << PAGE_NAMES) - 1)]
            if name.at == at:
                return name
            if name.at is NULL:
                break
        else:
            name = &page.names[first]
        self.read_name(at, name, kept)
        return name

    cdef int read_name(self, const tree.xmlChar* at, Name* name, list kept) except -1:
        cdef Bytes span = _bytes(at)
        cdef Name* known = &self.names[span.mark >> (64 - NAMES)]
        if known.text is not NULL and _is_same(known.text, &span):
            name[0] = known[0]
        else:
            text = sys.intern(_decoded(&span))
            name.text = <PyObject*> text
            name.number = self.number.get(text, 0)
            name.bits = (HIDING if text in self.hiding_names else 0) | (ITEMPROP if text == self.itemprop else 0)
            if _is_shared(&span):
                Py_INCREF(text)
                Py_XDECREF(known.text)
                known[0] = name[0]
        name.at = at
        kept.append(<object> name.text)
        return 0

    cdef str shared(self, Bytes* span):
        """The string of a text that may come again."""
        cdef PyObject** place = &self.texts[span.mark >> (64 - TEXTS)]
        if not _is_shared(span):
            return _decoded(span)
        if place[0] is not NULL and _is_same(place[0], span):
            return <str> place[0]
        text = _decoded(span)
        Py_INCREF(text)
        Py_XDECREF(place[0])
        place[0] = <PyObject*> text
        return text

    cdef inline str plain(self, const tree.xmlChar* at):
        """A text of the page: one that begins with white space is mostly nothing else."""
        cdef Bytes span = _bytes(at)
        return self.shared(&span) if at[0] <= 0x20 else _decoded(&span)

    cdef inline text(self, tree.xmlNode* node):
        cdef tree.xmlNode* first = node.children
        if first is NULL or not is_text(first):
            return None
        return self.plain(first.content) if is_plain(first) else textOf(node)

    cdef inline tail(self, tree.xmlNode* node):
        cdef tree.xmlNode* first = node.next
        if first is NULL or not is_text(first):
            return None
        return self.plain(first.content) if is_plain(first) else tailOf(node)

    cdef dict attributes(self, tree.xmlNode* node, Page* page, list kept, int* bits):
        """The attributes; elements that have the same ones have one dict for them."""
        cdef tree.xmlAttr* attribute = node.properties
        cdef PyObject* names[MOST]
        cdef Bytes values[MOST]
        cdef uint64_t mark = 0
        cdef int count = 0, n
        cdef bint is_shared = True
        cdef Name* name
        cdef Given* place
        cdef dict made
        while attribute is not NULL:
            if count == MOST or not is_simple(attribute):
                return self.any_attributes(node, page, kept, bits)
            name = self.name(attribute.name, page, kept)
            names[count] = name.text
            bits[0] |= name.bits
            values[count] = _bytes(attribute.children.content if attribute.children is not NULL else <tree.xmlChar*> b"")
            is_shared &= _is_shared(&values[count])
            mark = _mixed(_mixed(mark, <uint64_t> <size_t> name.text), values[count].mark)
            count += 1
            attribute = attribute.next
        place = &page.given[mark >> (64 - PAGE_DICTS)]
        if is_shared and place.mark == mark and place.attributes is not NULL:
            if _has(place.attributes, names, values, count):
                return <dict> place.attributes
        made = {}
        for n in range(count):
            PyDict_SetDefault(made, <object> names[n], self.shared(&values[n]))
        if is_shared:
            place.mark, place.attributes = mark, <PyObject*> made  # which the list of them holds
        return made

    cdef dict any_attributes(self, tree.xmlNode* node, Page* page, list kept, int* bits):
        """The attributes where they are many, or hold entities, or have namespaces."""
        cdef dict given = {}
        cdef tree.xmlAttr* attribute = node.properties
        cdef Name* name
        while attribute is not NULL:
            if attribute.type == tree.XML_ATTRIBUTE_NODE:
                text = attributeValue(node, attribute)
                if attribute.ns is NULL:
                    name = self.name(attribute.name, page, kept)
                    bits[0] |= name.bits
                    PyDict_SetDefault(given, <object> name.text, text)
                else:
                    PyDict_SetDefault(given, namespacedName(<tree.xmlNode*> attribute), text)
            attribute = attribute.next
        return given or self.no_attributes


cdef bint _has_attribute(tree.xmlNode* node, const char* name) noexcept:
    """Whether an element has an attribute of this name, in no namespace."""
    cdef tree.xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*> attribute.name, name) == 0:
            return True
        attribute = attribute.next
    return False


cdef inline void _put(list values, Py_ssize_t row, object value) noexcept:
    """Set an item of a list that is being filled."""
    Py_INCREF(value)
    PyList_SET_ITEM(values, row, value)


cdef inline uint64_t _word(const tree.xmlChar* at) noexcept:
    cdef uint64_t word
    memcpy(&word, at, 8)
    return word


cdef inline uint64_t _half(const tree.xmlChar* at) noexcept:
    cdef uint32_t word
    memcpy(&word, at, 4)
    return word


cdef inline uint64_t _mixed(uint64_t mark, uint64_t word) noexcept:
    mark = (mark ^ word) * <uint64_t> SPREAD
    return mark ^ (mark >> 32)


cdef inline Bytes _bytes(const tree.xmlChar* at) noexcept:
    """A text: its words of eight bytes, the last of which begins inside the one before it, are looked at."""
    cdef Py_ssize_t size = strlen(<const char*> at)
    cdef const tree.xmlChar* end = at + size
    cdef uint64_t mark = size, seen = 0, word
    cdef Bytes span
    span.at, span.size = at, size
    if size > LONGEST:
        mark = 0
        while end - at > 8:
            seen |= _word(at)
            at += 8
        seen |= _word(end - 8)
    else:
        if size >= 8:
            while end - at > 8:
                word = _word(at)
                seen |= word
                mark = _mixed(mark, word)
                at += 8
            word = _word(end - 8)
        elif size >= 4:
            word = _half(at) << 32 | _half(end - 4)
        elif size:
            word = <uint64_t> at[0] << 16 | <uint64_t> at[size >> 1] << 8 | end[-1]
        else:
            word = 0
        seen |= word
        mark = _mixed(mark, word)
    span.mark, span.is_ascii = mark, not seen & <uint64_t> HIGH
    return span


cdef inline bint _is_shared(Bytes* span) noexcept:
    return span.is_ascii and span.size <= LONGEST


cdef inline bint _is_same(PyObject* text, Bytes* span) noexcept:
    """Whether an ASCII text is this one."""
    return PyUnicode_GET_LENGTH(text) == span.size and memcmp(PyUnicode_DATA(text), span.at, span.size) == 0


cdef bint _has(PyObject* given, PyObject** names, Bytes* values, int count) noexcept:
    """Whether a dict has these attributes, in this order."""
    cdef Py_ssize_t at = 0
    cdef PyObject* name
    cdef PyObject* value
    cdef int n
    if PyDict_Size(given) != count:
        return False
    for n in range(count):
        if not PyDict_Next(given, &at, &name, &value) or name != names[n] or not _is_same(value, &values[n]):
            return False
    return True


cdef inline str _decoded(Bytes* span):
    """A new string; ASCII need not be decoded."""
    if not span.is_ascii or not span.size:
        return PyUnicode_DecodeUTF8(<const char*> span.at, span.size, NULL)
    made = PyUnicode_New(span.size, 127)
    memcpy(PyUnicode_DATA(<PyObject*> made), span.at, span.size)
    return made


cdef bint _ends_in_blank(tree.xmlNode* node) except -1:
    """Whether a run of texts, of which this is the last node, ends in white space."""
    cdef const unsigned char* text
    cdef size_t size, first
    while node is not NULL and is_text(node):
        text = <const unsigned char*> node.content
        if text is not NULL and text[0] and node.type != tree.XML_XINCLUDE_START and node.type != tree.XML_XINCLUDE_END:
            size = strlen(<const char*> text)
            first = size - 1
            if text[first] < 0x80:
                return text[first] == 32 or 9 <= text[first] <= 13 or 28 <= text[first] <= 31
            while first > 0 and text[first] & 0xC0 == 0x80:
                first -= 1
            return PyUnicode_DecodeUTF8(<const char*> text + first, size - first, "replace").isspace()
        node = node.prev
    return False
