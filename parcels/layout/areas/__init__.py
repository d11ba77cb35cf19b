"""Areas of a page: header, footer, left, right or centre for every node and leaf."""

from collections.abc import Callable

from parcels.errors import ConfigError
from parcels.html.page import Page
from parcels.layout.areas.evidence import recognise as by_evidence
from parcels.layout.areas.kovacevic import recognise as by_kovacevic
from parcels.layout.areas.map import AreaMap
from parcels.layout.boxes import Layout

Recogniser = Callable[[Page, Layout], AreaMap]
RECOGNISERS: dict[str, Recogniser] = {"evidence": by_evidence, "kovacevic": by_kovacevic}

__all__ = ["RECOGNISERS", "AreaMap", "recognise"]


def recognise(page: Page, layout: Layout, *, recogniser: str = "evidence") -> AreaMap:
    """Return the area of every node and leaf.

    `evidence` weighs boxes, tags, roles, names and link density; `kovacevic` is the five heuristics of 2003.
    """
    function = RECOGNISERS.get(recogniser)
    if function is None:
        raise ConfigError(f"Unknown recogniser '{recogniser}'. Use one of: {', '.join(RECOGNISERS)}.")
    return function(page, layout)
