"""What a recogniser returns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.boxes import AREAS

Codes = NDArray[np.int8]
HEADER, FOOTER, LEFT, RIGHT, CENTRE = range(len(AREAS))


@dataclass(frozen=True, slots=True)
class AreaMap:
    """The area of every node and leaf, as a number in AREAS; a node that holds several areas is centre."""

    nodes: Codes
    leaves: Codes
    recogniser: str

    def of_leaf(self, leaf: int) -> str:
        """The name of a leaf's area."""
        return AREAS[self.leaves[leaf]]

    def of_node(self, row: int) -> str:
        """The name of a node's area."""
        return AREAS[self.nodes[row]]

    def roots(self, page: Page) -> list[int]:
        """The rows where an area begins: nodes in another area than their parent."""
        parent = np.maximum(page.nodes.parent, 0)
        return np.flatnonzero(self.nodes != self.nodes[parent]).tolist()
