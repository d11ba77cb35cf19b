"""An lxml tree as flat lists: tags, attributes, texts and structure of each element.

The compiled reader (parcels/html/tree_native.pyx) goes over lxml's own nodes and makes no object for an element; where
it was not compiled, the one here does the same through lxml's elements, with the same result.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

from lxml import etree

from parcels.compiled import import_compiled
from parcels.html.tags import NAMES, NUMBER, OTHER, PASSED_OVER

_native = import_compiled("parcels.html.tree_native")

Attributes = Mapping[str, str]
Numbers = Any  # a list, or an array of NumPy's from the compiled reader

# What stands inside these is the element's own value, or another document. The head is looked into: an unknown
# element there ends it for a browser, but not for the parser, which then hangs the whole page below it.
OPAQUE = (PASSED_OVER - {"head"}) | {"iframe", "textarea", "select"}
# Of each tag by its number: 0 all is read, 1 nothing inside is, 2 nothing inside but its own text.
_SHUT = bytes((2 if name == "textarea" else 1) if name in OPAQUE else 0 for name in NAMES)
# What these say is for machines, and so is what stands in an element with an `itemprop`.
TELLING = frozenset(["html", "meta", "title", "link", "script", "style", "base"])
_TELLS = bytes(name in TELLING for name in NAMES)
_MARKING = "itemprop"
_NOTED = ("style", "hidden")
_NOTHING: Attributes = {}
_reader = None if _native is None else _native.Reader(NUMBER, _SHUT, _TELLS, _NOTED, _MARKING, _NOTHING)


class Tree(NamedTuple):
    """The elements in document order; row 0 is the root. Inside an opaque element only rows and tags are kept."""

    tags: list[str]
    attributes: list[Attributes]  # shared where there are none
    texts: list[str | None]  # from the element's start to the next element, comment or end in it
    tails: list[str | None]  # from its end to the next one
    behind: list[tuple[int, int, str]]  # text behind a comment or its like: rows before it, the row it is in, itself
    noted: list[int]  # rows that have a `style` or `hidden` attribute
    number: Numbers  # of the tag, in parcels.html.tags
    parent: Numbers
    depth: Numbers
    last: Numbers  # the last row inside the element, or its own
    after_blank: Numbers  # 1 where white space stands right before the element; 0 inside an opaque one
    telling: list[tuple[int, etree._Element]]  # rows and elements of TELLING, and those with an `itemprop`


class Elements(Sequence[etree._Element]):
    """The elements of the rows, created on first access: most pages are read without them.

    >>> elements = Elements(etree.HTML("<p>one<!-- two --><b>three"), 4)
    >>> len(elements), elements[-1].tag, [element.tag for element in elements]
    (4, 'b', ['html', 'body', 'p', 'b'])
    """

    __slots__ = ("_count", "_made", "_root")

    def __init__(self, root: etree._Element, count: int):
        self._root = root
        self._count = count
        self._made: list[etree._Element] | None = None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[etree._Element]:
        return iter(self._all())

    @overload
    def __getitem__(self, row: int) -> etree._Element: ...
    @overload
    def __getitem__(self, row: slice) -> list[etree._Element]: ...
    def __getitem__(self, row: int | slice) -> etree._Element | list[etree._Element]:
        return (self._made or self._all())[row]

    def _all(self) -> list[etree._Element]:
        made = self._made
        if made is None:
            made = list(self._root.iter(etree.Element))
            if len(made) != self._count:
                raise RuntimeError(
                    f"parcels: the tree had {self._count} elements when it was read and has {len(made)} now. "
                    "Ask for its elements before it is changed, or read it again (parcels.html.leaves.walk)."
                )
            self._made = made
        return made


def read_tree(root: etree._Element) -> Tree:
    """Read the tree below an element, with the compiled reader if it is available.

    >>> tree = read_tree(etree.HTML("<p id=x>one<!-- two -->three<b>four</b>five"))
    >>> tree.tags, tree.texts, tree.tails, tree.behind
    (['html', 'body', 'p', 'b'], [None, None, 'one', 'four'], [None, None, None, 'five'], [(3, 2, 'three')])
    """
    if _reader is not None:
        return Tree(*_reader.read(root))
    return read_interpreted(root)


def read_interpreted(root: Any) -> Tree:
    """Read a tree through lxml's elements, with the same result as the compiled reader."""
    tree = Tree(
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
    tags, attributes, texts, tails, behind, noted, number, parent, depth, last, after_blank, telling = tree
    if root.tag in TELLING or root.get(_MARKING) is not None:
        telling.append((0, root))
    if any(name in attributes[0] for name in _NOTED):
        noted.append(0)
    row = above = 0  # the element that was opened last, and the one that is open
    before: str | None = root.text  # what stands right before the next one
    left = len(root)  # children of the open element that are still to come
    is_read = True  # False inside an opaque element
    around: list[tuple[int, int, bool]] = []  # the same of the elements around the open one
    rest: Iterator[Any] = root.iter()  # Any: the tag of a comment is a function
    next(rest)
    for element in rest:
        tag, tail = element.tag, element.tail if is_read else None
        below = shut = 0
        if tag.__class__ is str:
            row += 1
            below = len(element)
            kind = NUMBER.get(tag, OTHER)
            shut = _SHUT[kind]
            given: Attributes = (dict(element.items()) if is_read else None) or _NOTHING
            tags.append(tag)
            attributes.append(given)
            texts.append(element.text if is_read and shut != 1 else None)
            tails.append(tail)
            number.append(kind)
            parent.append(above)
            depth.append(len(around) + 1)
            last.append(row)
            after_blank.append(int(is_read and (before or "-")[-1].isspace()))
            if tag in TELLING or element.get(_MARKING) is not None:
                telling.append((row, element))
            if given and ("style" in given or "hidden" in given):
                noted.append(row)
        elif tail:
            behind.append((row + 1, above, tail))
        if below:
            around.append((above, left, is_read))
            above, left, is_read, before = row, below, is_read and not shut, texts[row]
            continue
        before = tail
        left -= 1
        while not left and around:  # the last child closes what holds it
            last[above], before = row, tails[above]
            above, left, is_read = around.pop()
            left -= 1
    last[0] = row
    return tree
