"""The cut of a page that explains the leaves' scores best.

A whole part goes to an area when its leaves' advantage over the centre, taken together, is larger than the price of one
more part. What no part covers is the centre. An area is seldom in pieces: what lies outside its largest piece must gain
more than the price, or a leaf that only resembles a header joins the header from afar.
"""

from parcels.layout.areas.scene import Parts
from parcels.layout.areas.sweep_arrays import Floats
from parcels.layout.areas.sweeps_frame import sweep_partition

Pieces = list[tuple[int, int]]


def partition(parts: Parts, gains: Floats, *, price: float, further: float = 0.0) -> tuple[Pieces, Pieces]:
    """The parts (part, area) and single leaves (leaf, area) that gain most over a page that is all centre.

    `gains` has a row a leaf and a column an area of AREAS, the centre last: what it gains there against the centre.
    `further` is the least that a piece of an area must gain besides the area's largest.
    """
    return sweep_partition(
        gains, parts.parent, parts.last, parts.first_leaf, parts.end_leaf, parts.of_leaf, price, further
    )
