"""Which elements of a tree say something of their page to machines, without an object of Python's for all the others.

Only fields of libxml2's structs are read, as in parcels/tree_native.pyx; parcels/structured.py does the same by lxml.
"""

from libc.string cimport strcmp
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element, attributeValue, elementFactory, import_lxml__etree

import_lxml__etree()


def speaking(_Element root not None):
    """Tags with the elements (of `meta` its attributes) that may hold a claim, and elements that have an `itemprop`.

    Both in document order; an element of the first list is not in the second.
    """
    cdef tree.xmlNode* top = root._c_node
    cdef tree.xmlNode* node = top
    cdef const char* name
    cdef list said = [], marked = []
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            name = <const char*> node.name
            if node.ns is NULL and strcmp(name, "meta") == 0:
                if _value(node, "content") is not None:
                    said.append(("meta", _attributes(node)))
            elif node.ns is NULL and (strcmp(name, "title") == 0 or strcmp(name, "html") == 0):
                said.append((name.decode("utf-8"), elementFactory(root._doc, node)))
            elif node.ns is NULL and strcmp(name, "link") == 0:
                if _holds(node, "rel", b"canonical"):
                    said.append(("link", elementFactory(root._doc, node)))
            elif node.ns is NULL and strcmp(name, "script") == 0:
                if _holds(node, "type", b"ld+json"):
                    said.append(("script", elementFactory(root._doc, node)))
            elif node is not top and _value(node, "itemprop") is not None:
                marked.append(elementFactory(root._doc, node))
            if node.children is not NULL:
                node = node.children
                continue
        while node is not top and node.next is NULL:
            node = node.parent
        if node is top:
            return said, marked
        node = node.next


cdef _value(tree.xmlNode* node, const char* name):
    """The value of an attribute; None without it."""
    cdef tree.xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*> attribute.name, name) == 0:
            return attributeValue(node, attribute)
        attribute = attribute.next
    return None


cdef bint _holds(tree.xmlNode* node, const char* name, bytes word) except -1:
    """Whether a word stands in an attribute, in capitals or not."""
    value = _value(node, name)
    return value is not None and word.decode("ascii") in (<str> value).lower()


cdef dict _attributes(tree.xmlNode* node):
    """The attributes that are in no namespace."""
    cdef dict found = {}
    cdef tree.xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.ns is NULL:
            found[(<const char*> attribute.name).decode("utf-8")] = attributeValue(node, attribute)
        attribute = attribute.next
    return found
