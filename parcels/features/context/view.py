"""The context view, beyond the papers: the group, the neighbours, the links and the place of a block on its page.

Its features are registered in the modules below, which fill one column each from Look.table.
"""

from parcels.features.context import anchors as context_anchors
from parcels.features.context import groups as context_groups
from parcels.features.context import links as context_links
from parcels.features.context import neighbours as context_neighbours
from parcels.features.feature import features_of, fill_columns
from parcels.features.look import Floats, Look

FEATURES = features_of("context", context_links, context_groups, context_anchors, context_neighbours)


def context_view(look: Look) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, look.table)
