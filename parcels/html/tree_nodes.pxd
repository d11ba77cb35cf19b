"""Access to libxml2's nodes for parcels/html/tree_native.pyx."""

from lxml.includes cimport tree


cdef inline bint is_item(tree.xmlNode* node) noexcept:
    """Return whether lxml has an object for the node; text is before, between and after these."""
    return (
        node.type == tree.XML_ELEMENT_NODE or node.type == tree.XML_COMMENT_NODE
        or node.type == tree.XML_PI_NODE or node.type == tree.XML_ENTITY_REF_NODE
    )


cdef inline bint is_text(tree.xmlNode* node) noexcept:
    """Return whether lxml reads the node as text, or skips it within a text."""
    return (
        node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE
        or node.type == tree.XML_XINCLUDE_START or node.type == tree.XML_XINCLUDE_END
    )


cdef inline int element_count(tree.xmlNode* top) noexcept:
    """Return the number of elements in the tree."""
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


cdef inline bint is_plain(tree.xmlNode* node) noexcept:
    """True where a text is one node."""
    return (
        node.type == tree.XML_TEXT_NODE and node.content is not NULL and (node.next is NULL or not is_text(node.next))
    )


cdef inline bint is_simple(tree.xmlAttr* attribute) noexcept:
    """True for an attribute in no namespace whose value is one text, or none."""
    cdef tree.xmlNode* value = attribute.children
    return attribute.type == tree.XML_ATTRIBUTE_NODE and attribute.ns is NULL and (
        value is NULL or value.type == tree.XML_TEXT_NODE and value.next is NULL and value.content is not NULL
    )
