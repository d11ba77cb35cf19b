"""Inheritance contexts: what a node passes to its descendants, and what selectors can see of its ancestors.

Nodes of one kind below equal contexts have equal styles, wherever they are on the page. The fewer contexts a page has,
the fewer rules are matched and styles computed.
"""

from array import array

from parcels.css.columns import COLUMN, INHERITED_COUNT
from parcels.css.compute import StyleComputer
from parcels.css.hints import Cell
from parcels.css.sheets.declarations import Block, WideKeyword
from parcels.maps import IntMap, pair_key

_DISPLAY, _INHERIT = COLUMN["display"], WideKeyword.INHERIT
_ALWAYS = (_DISPLAY, COLUMN["vertical-align"])  # rows and cells inherit it, flex items depend on the display above
_CELL_BYTES = array("d").itemsize


class Contexts:
    """The contexts of a page, one entry per context in each list."""

    def __init__(self) -> None:
        self.style: list[int] = []  # a style with the context's heritage
        self.inherited: list[int] = []
        self.names: list[frozenset[str]] = []  # on the node and above it
        self.bits: list[int] = []  # of these names, see `Active`
        self.cell: list[Cell | None] = []
        self.in_list: list[bool] = []
        self.is_hidden: list[bool] = []
        self.has_nameless_levels = False  # True where a rule has a part such as `> * >`: then empty levels matter
        self._structure: list[int] = []
        self._signatures: list[int] = []
        self._set_extra_columns(_ALWAYS)
        self._known = IntMap()  # by pair of structure and inherited values, and by the other parts of the context
        self._pairs = IntMap()
        self._structures = IntMap()  # by the structure above and the sight
        self._cells: dict[Cell, int] = {}  # and their numbers
        self._inherited_numbers: dict[bytes, int] = {}
        self._number_of_style: list[int] = []  # by style, -1 where it is not known yet

    def _set_extra_columns(self, columns: tuple[int, ...]) -> None:
        """Make these columns, which are not inherited by default, part of the inherited values."""
        self._extra_columns = columns
        self._numbers = self._packed = array("d", bytes(_CELL_BYTES * (INHERITED_COUNT + len(columns))))

    def track_inherit(self, block: Block) -> None:
        """Take notice of columns that are inherited only because a rule says `inherit`."""
        for declaration in (*block.normal, *block.important):
            for key, value in declaration.deferred:
                if value is _INHERIT and isinstance(key, int) and key >= INHERITED_COUNT:
                    self._set_extra_columns(tuple(sorted({*self._extra_columns, key})))

    def add(
        self,
        above: int,
        style: int,
        computer: StyleComputer,
        signature: int,
        names: frozenset[str],
        bits: int,
        cell: Cell | None,
        in_list: bool,
    ) -> int:
        """Return the context below a node with a style, inside a context (-1 for the root).

        Rules and defaults see from below: the node's signature, its names that some rule requires of ancestors or
        others and their bits, the attributes of the table around, and whether it is in a list.
        """
        inherited = self._inherited_number(style, computer)
        structure = self._structure_of(above, signature)
        pair = self._pairs.put(pair_key(structure, inherited), self._pairs.count)
        rest = int(in_list)
        if cell is not None:
            rest += 2 + 2 * self._cells.setdefault(cell, len(self._cells))
        number = self._known.put(pair_key(pair, rest), len(self.style))
        if number == len(self.style):
            self.style.append(style)
            self.inherited.append(inherited)
            if above < 0:
                self.names.append(names)
                self.bits.append(bits)
            else:
                self.names.append(self.names[above] | names if names else self.names[above])
                self.bits.append(self.bits[above] | bits)
            self.cell.append(cell)
            self.in_list.append(in_list)
            self.is_hidden.append(computer.cells[computer.at(style) + _DISPLAY] == 0.0)
            self._structure.append(structure)
            self._signatures.append(signature)
        return number

    def _inherited_number(self, style: int, computer: StyleComputer) -> int:
        """Return the number of a style's inherited values; styles that pass on the same values share it."""
        while len(self._number_of_style) <= style:
            self._number_of_style.append(-1)
        known = self._number_of_style[style]
        if known < 0:
            cells, values, row = computer.cells, self._numbers, computer.at(style)
            for column in range(INHERITED_COUNT):
                values[column] = cells[row + column] + 0.0  # minus zero equals zero
            for place in range(len(self._extra_columns)):
                column = self._extra_columns[place]
                values[INHERITED_COUNT + place] = cells[row + column] + 0.0
            known = self._inherited_numbers.setdefault(self._packed.tobytes(), len(self._inherited_numbers))
            self._number_of_style[style] = known
        return known

    def _structure_of(self, above: int, signature: int) -> int:
        if signature == 0 and above >= 0 and self._signatures[above] == 0 and not self.has_nameless_levels:
            return self._structure[above]  # a second node that no rule refers to changes nothing
        structure = self._structure[above] if above >= 0 else -1
        return self._structures.put(pair_key(structure, signature), self._structures.count)
