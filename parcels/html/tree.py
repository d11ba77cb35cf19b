"""An lxml tree as flat lists: tags, attributes, texts and structure of each element.

The compiled reader (parcels/html/tree_native.pyx) goes over lxml's own nodes and makes no object for an element; where
it was not compiled, the one here does the same through lxml's elements, with the same result.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from lxml import etree

from parcels.compiled import import_compiled
from parcels.html.tags import INVISIBLE_TAGS, NAMES, NUMBER, OTHER

_native = import_compiled("parcels.html.tree_native")

Attributes = Mapping[str, str]
Numbers = Any  # a list, or an array of NumPy's from the compiled reader

# The content of these is the element's own value, or another document. The head is read: an unknown
# element there ends it for a browser, but not for the parser, which then hangs the whole page below it.
OPAQUE = (INVISIBLE_TAGS - {"head"}) | {"iframe", "textarea", "select"}
# Of each tag by its number: 0 all is read, 1 nothing inside is, 2 nothing inside but its own text.
_CONTENT_MODE = bytes((2 if name == "textarea" else 1) if name in OPAQUE else 0 for name in NAMES)
MAX_TAGS = 8  # whose elements are made without all others: beyond them, making all takes less time
# These hold metadata, as do elements with an `itemprop`.
METADATA_TAGS = frozenset(["html", "meta", "title", "link", "script", "style", "base"])
_IS_METADATA = bytes(name in METADATA_TAGS for name in NAMES)
_ITEMPROP = "itemprop"
_HIDING_ATTRIBUTES = ("style", "hidden")
_NO_ATTRIBUTES: Attributes = {}
_reader = None
if _native is not None:
    _reader = _native.Reader(NUMBER, _CONTENT_MODE, _IS_METADATA, _HIDING_ATTRIBUTES, _ITEMPROP, _NO_ATTRIBUTES)


class FlatTree(NamedTuple):
    """The elements in document order; row 0 is the root. Inside an opaque element only rows and tags are kept."""

    tags: list[str]
    attributes: list[Attributes]  # shared where there are none
    texts: list[str | None]  # from the element's start to the next element, comment or end in it
    tails: list[str | None]  # from its end to the next one
    comment_tails: list[tuple[int, int, str]]  # text behind a comment: rows before it, the row it is in, the text
    hiding_rows: list[int]  # rows that have a `style` or `hidden` attribute
    number: Numbers  # of the tag, in parcels.html.tags
    parent: Numbers
    depth: Numbers
    last: Numbers  # the last row inside the element, or its own
    after_blank: Numbers  # 1 if white space precedes the element directly; 0 inside opaque elements
    metadata: list[tuple[int, etree._Element]]  # rows and elements of METADATA_TAGS, and those with an `itemprop`


class Elements(Sequence[etree._Element]):
    """The elements of the rows, created on first access: most pages are read without them, or with few of them.

    >>> elements = Elements(etree.HTML("<p>one<!-- two --><b>three"), ["html", "body", "p", "b"])
    >>> len(elements), elements[-1].tag, [element.tag for element in elements]
    (4, 'b', ['html', 'body', 'p', 'b'])
    """

    __slots__ = ("_made", "_of_tags", "_root", "_tags")

    def __init__(self, root: etree._Element, tags: list[str]):
        self._root, self._tags = root, tags
        self._made: list[etree._Element] | None = None
        self._of_tags: dict[str, dict[int, etree._Element]] = {}  # by row

    def __len__(self) -> int:
        return len(self._tags)

    def __iter__(self) -> Iterator[etree._Element]:
        return iter(self._all())

    @overload
    def __getitem__(self, row: int) -> etree._Element: ...
    @overload
    def __getitem__(self, row: slice) -> list[etree._Element]: ...
    def __getitem__(self, row: int | slice) -> etree._Element | list[etree._Element]:
        if self._made is None and isinstance(row, int):
            element = self._of_tag(self._tags[row]).get(row)
            if element is not None:
                return element
        return self._all()[row]

    def _of_tag(self, tag: str) -> dict[int, etree._Element]:
        """Return the elements with a tag by row; nothing for a changed tree, and beyond MAX_TAGS."""
        of_tag = self._of_tags.get(tag)
        if of_tag is None:
            if len(self._of_tags) >= MAX_TAGS or _count_elements(self._root) != len(self._tags):
                return {}
            rows = [row for row, name in enumerate(self._tags) if name == tag]
            elements = list(self._root.iter(tag))
            of_tag = self._of_tags[tag] = dict(zip(rows, elements, strict=False)) if len(rows) == len(elements) else {}
        return of_tag

    def _all(self) -> list[etree._Element]:
        made = self._made
        if made is None:
            made, count = list(self._root.iter(etree.Element)), len(self._tags)
            if len(made) != count:
                raise RuntimeError(
                    f"parcels: the tree had {count} elements when it was read and has {len(made)} now. "
                    "Ask for its elements before it is changed, or read it again (parcels.html.leaves.walk)."
                )
            self._made = made
        return made


def read_tree(root: etree._Element) -> FlatTree:
    """Read the tree below an element, with the compiled reader if it is available.

    >>> tree = read_tree(etree.HTML("<p id=x>one<!-- two -->three<b>four</b>five"))
    >>> tree.tags, tree.texts, tree.tails, tree.comment_tails
    (['html', 'body', 'p', 'b'], [None, None, 'one', 'four'], [None, None, None, 'five'], [(3, 2, 'three')])
    """
    if _reader is not None:
        return FlatTree(*_reader.read(root))
    return read_interpreted(root)


def _count_elements(root: etree._Element) -> int:
    """Return the number of elements in a tree."""
    if _native is not None:
        return int(_native.count_elements(root))
    return sum(1 for _ in root.iter(etree.Element))


def read_interpreted(root: Any) -> FlatTree:
    """Read a tree through lxml's elements, with the same result as the compiled reader."""
    tree = FlatTree(
        [root.tag],
        [dict(root.items())],
        [root.text],
        [None],
        [],
        [],
        [NUMBER.get(root.tag, OTHER)],
        [-1],
        [0],
        [0],
        [0],
        [],
    )
    tags, attributes, texts, tails, comment_tails, hiding_rows, *_ = tree
    number, parent, depth, last, after_blank, metadata = tree[6:]
    if root.tag in METADATA_TAGS or root.get(_ITEMPROP) is not None:
        metadata.append((0, root))
    if any(name in attributes[0] for name in _HIDING_ATTRIBUTES):
        hiding_rows.append(0)
    row = above = 0  # the element that was opened last, and the one that is open
    before: str | None = root.text  # the text directly before the next element
    left = len(root)  # children of the open element that are still to come
    is_read = True  # False inside an opaque element
    around: list[tuple[int, int, bool]] = []  # the same of the elements around the open one
    rest: Iterator[Any] = root.iter()  # Any: the tag of a comment is a function
    next(rest)
    for element in rest:
        tag, tail = element.tag, element.tail if is_read else None
        below = content_mode = 0
        if tag.__class__ is str:
            row += 1
            below = len(element)
            kind = NUMBER.get(tag, OTHER)
            content_mode = _CONTENT_MODE[kind]
            own_attributes: Attributes = (dict(element.items()) if is_read else None) or _NO_ATTRIBUTES
            tags.append(tag)
            attributes.append(own_attributes)
            texts.append(element.text if is_read and content_mode != 1 else None)
            tails.append(tail)
            number.append(kind)
            parent.append(above)
            depth.append(len(around) + 1)
            last.append(row)
            after_blank.append(int(is_read and (before or "-")[-1].isspace()))
            if tag in METADATA_TAGS or element.get(_ITEMPROP) is not None:
                metadata.append((row, element))
            if own_attributes and ("style" in own_attributes or "hidden" in own_attributes):
                hiding_rows.append(row)
        elif tail:
            comment_tails.append((row + 1, above, tail))
        if below:
            around.append((above, left, is_read))
            above, left, is_read, before = row, below, is_read and not content_mode, texts[row]
            continue
        before = tail
        left -= 1
        while not left and around:  # the last child closes its parent
            last[above], before = row, tails[above]
            above, left, is_read = around.pop()
            left -= 1
    last[0] = row
    return tree
