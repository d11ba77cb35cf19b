"""Inheritance contexts: what a node passes to its descendants, and what selectors can see of its ancestors.

Nodes with equal contexts above them and equal looks have equal styles, wherever they are on the page. The fewer
contexts a page has, the less there is to match and to compute.
"""

from array import array

from parcels.css.columns import COLUMN, INHERITED_COUNT
from parcels.css.compute import Computer
from parcels.css.hints import Cell
from parcels.css.sheets.declarations import Block, Wide
from parcels.maps import IntMap, pair_key

_DISPLAY, _INHERIT = COLUMN["display"], Wide.INHERIT
_ALWAYS = (_DISPLAY, COLUMN["vertical-align"])  # rows and cells inherit it, flex items depend on the display above
_CELL_BYTES = array("d").itemsize


class Contexts:
    """The contexts of a page, one entry per context in each list."""

    def __init__(self) -> None:
        self.style: list[int] = []  # a style with the context's heritage
        self.heritage: list[int] = []
        self.names: list[frozenset[str]] = []  # on the node and above it
        self.bits: list[int] = []  # of these names, see `Active`
        self.cell: list[Cell | None] = []
        self.in_list: list[bool] = []
        self.is_hidden: list[bool] = []
        self.counts_levels = False  # True where a rule has a part such as `> * >`: then empty levels matter
        self._structure: list[int] = []
        self._sight: list[int] = []
        self._watch(_ALWAYS)
        self._known = IntMap()  # by which pair of a structure and a heritage it is, and by what else there is
        self._pairs = IntMap()
        self._structures = IntMap()  # by the structure above and the sight
        self._cells: dict[Cell, int] = {}  # and their numbers
        self._heritages: dict[bytes, int] = {}
        self._heritage_of: list[int] = []  # by style, -1 where it is not known yet

    def _watch(self, columns: tuple[int, ...]) -> None:
        """Make these columns, which are not inherited by default, part of the inherited values."""
        self._inherited = columns
        self._numbers = self._packed = array("d", bytes(_CELL_BYTES * (INHERITED_COUNT + len(columns))))

    def note_inherited(self, block: Block) -> None:
        """Take notice of columns that are inherited only because a rule says `inherit`."""
        for part in (*block.normal, *block.important):
            for key, value in part.rest:
                if value is _INHERIT and isinstance(key, int) and key >= INHERITED_COUNT:
                    self._watch(tuple(sorted({*self._inherited, key})))

    def add(
        self,
        above: int,
        style: int,
        computer: Computer,
        sight: int,
        names: frozenset[str],
        bits: int,
        cell: Cell | None,
        in_list: bool,
    ) -> int:
        """Return the context below a node with a style, inside a context (-1 for the root).

        What rules and defaults can see of the node from below: its sight, its names that some rule looks for above
        others and their bits, the attributes of the table around, and whether it is in a list.
        """
        heritage = self._heritage(style, computer)
        structure = self._structure_of(above, sight)
        pair = self._pairs.put(pair_key(structure, heritage), self._pairs.count)
        rest = int(in_list)
        if cell is not None:
            rest += 2 + 2 * self._cells.setdefault(cell, len(self._cells))
        number = self._known.put(pair_key(pair, rest), len(self.style))
        if number == len(self.style):
            self.style.append(style)
            self.heritage.append(heritage)
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
            self._sight.append(sight)
        return number

    def _heritage(self, style: int, computer: Computer) -> int:
        """Return the number of a style's inherited values; styles that pass on the same values share it."""
        while len(self._heritage_of) <= style:
            self._heritage_of.append(-1)
        known = self._heritage_of[style]
        if known < 0:
            cells, made, row = computer.cells, self._numbers, computer.at(style)
            for column in range(INHERITED_COUNT):
                made[column] = cells[row + column] + 0.0  # minus zero equals zero
            for place in range(len(self._inherited)):
                column = self._inherited[place]
                made[INHERITED_COUNT + place] = cells[row + column] + 0.0
            known = self._heritages.setdefault(self._packed.tobytes(), len(self._heritages))
            self._heritage_of[style] = known
        return known

    def _structure_of(self, above: int, sight: int) -> int:
        if sight == 0 and above >= 0 and self._sight[above] == 0 and not self.counts_levels:
            return self._structure[above]  # a second node that no rule looks at changes nothing
        structure = self._structure[above] if above >= 0 else -1
        return self._structures.put(pair_key(structure, sight), self._structures.count)
