"""The context view, beyond the papers: the group, the neighbours, the links and the place of a block on its page.

Its features are registered in the modules below, which fill one column each from Look.table.
"""

from parcels.views import context_anchors, context_groups, context_links, context_neighbours
from parcels.views.feature import features_of, fill_columns
from parcels.views.look import Floats, Look

FEATURES = features_of("context", context_links, context_groups, context_anchors, context_neighbours)


def context_view(look: Look) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, look.table)
