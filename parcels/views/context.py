"""The context view, beyond the papers: the group, the neighbours, the links and the place of a block on its page.

Like the stylistic view, each feature is a function from a Look to one number a block.
"""

from parcels.views import context_anchors, context_groups, context_links, context_neighbours
from parcels.views.feature import columns
from parcels.views.look import Column, Floats, Look

FEATURES: tuple[Column, ...] = (
    *context_links.FEATURES,
    *context_groups.FEATURES,
    *context_anchors.FEATURES,
    *context_neighbours.FEATURES,
)
NAMES: tuple[str, ...] = tuple(feature.__name__ for feature in FEATURES)


def context_view(look: Look) -> Floats:
    """One row a block, one column a feature."""
    return columns(FEATURES, look, len(look))
