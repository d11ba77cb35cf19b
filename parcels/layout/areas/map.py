"""The result of a recogniser: the area of every node and leaf."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.boxes import AREAS

Codes = NDArray[np.int8]
HEADER, FOOTER, LEFT, RIGHT, CENTRE = range(len(AREAS))


@dataclass(frozen=True, slots=True)
class AreaMap:
    """The area of every node and leaf, as an index into AREAS; a node that holds several areas is centre."""

    nodes: Codes
    leaves: Codes
    recogniser: str

    def of_leaf(self, leaf: int) -> str:
        """Return the name of a leaf's area."""
        return AREAS[self.leaves[leaf]]

    def of_node(self, row: int) -> str:
        """Return the name of a node's area."""
        return AREAS[self.nodes[row]]

    def roots(self, page: Page) -> list[int]:
        """Return the rows where an area begins: nodes whose parent is in another area."""
        parent = np.maximum(page.nodes.parent, 0)
        return np.flatnonzero(self.nodes != self.nodes[parent]).tolist()
