"""The columns of the context view, which is not in the papers. The modules below declare its features."""

from parcels.features.context import anchors as context_anchors
from parcels.features.context import groups as context_groups
from parcels.features.context import links as context_links
from parcels.features.context import neighbours as context_neighbours
from parcels.features.feature import features_of, fill_columns
from parcels.features.page_features import Floats, PageFeatures

FEATURES = features_of("context", context_links, context_groups, context_anchors, context_neighbours)


def context_view(page: PageFeatures) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, page.table)
