"""The context view, beyond the papers: the group, the neighbours, the links and the place of a block on its page.

Like the stylistic view, each feature is a function from a Look to one number a block.
"""

import numpy as np

from parcels.compiled import loaded
from parcels.tags import NUMBER
from parcels.views import context_links
from parcels.views.arrays import CAP, logs, logs_of_counts
from parcels.views.context_anchors import ANCHORED, FAR
from parcels.views.context_groups import GROUPED, LEVELS
from parcels.views.context_neighbours import NEIGHBOURS, PLACED
from parcels.views.feature import columns, family
from parcels.views.leaf_sizes import KINDS
from parcels.views.look import Column, Floats, Look
from parcels.views.style_linear import LOG_CHARS

group_loops = loaded("parcels.views.group_loops")  # None where it is not compiled: the same column by column, slower

ROWS: tuple[Column, ...] = (*GROUPED, *ANCHORED, *PLACED, *NEIGHBOURS)
_LEVELS = np.array(LEVELS, np.int64)
_LOGS, _SIGNED, _COUNTS = 8, 3, 5  # rows of ROWS that are logarithms: of numbers, of those with a sign, of counts


def of_context(look: Look) -> Floats:
    """The rows of ROWS, in few passes over the blocks."""
    if group_loops is None:
        return np.stack([column(look) for column in ROWS])
    nodes, of, at, headings, size = look.page.nodes, look.groups, look.anchors, look.headings, len(look)
    found, numbers = np.empty((len(ROWS), size), np.float32), np.empty((_LOGS + _SIGNED, size), np.float32)
    counts = np.empty((_COUNTS, size), np.int64)
    h1 = np.append(np.flatnonzero(nodes.tag == NUMBER["h1"]), len(nodes))
    group_loops.around(
        look.container, nodes.parent, nodes.depth, nodes.last, of.entry, of.chars, of.linked, of.images, of.repeats,
        of.first_block, of.end_block, h1, _LEVELS, look.chars, look.parent, at.common, at.branch, at.of_node, at.mass,
        max(float(at.mass.sum()), 1.0), at.main, at.first, at.last, at.title, look.box, look.layout.width, FAR, CAP,
        headings.over, headings.is_heading, look.structure[LOG_CHARS], look.link_share, look.tag, look.leaf_kind,
        KINDS.index("img"), look.division.first, found, numbers, counts,
    )  # fmt: skip
    signed = numbers[_LOGS:].copy()
    np.abs(signed, out=numbers[_LOGS:])
    group_loops.told(logs(numbers), logs_of_counts(counts), signed, CAP, found)
    return found


FEATURES: tuple[Column, ...] = (*context_links.FEATURES, *family(of_context, ROWS))
NAMES: tuple[str, ...] = tuple(feature.__name__ for feature in FEATURES)


def context_view(look: Look) -> Floats:
    """One row a block, one column a feature."""
    return columns(FEATURES, look, len(look))
