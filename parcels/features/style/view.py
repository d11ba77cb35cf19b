"""The columns of the style view (Lee, Kan and Lai 2004, section 5.2). The modules below declare its features."""

from parcels.features.feature import features_of, fill_columns
from parcels.features.page_features import Floats, PageFeatures
from parcels.features.style import boxes as style_boxes
from parcels.features.style import fonts as style_fonts
from parcels.features.style import linear as style_linear
from parcels.features.style import tables as style_tables

FEATURES = features_of("style", style_linear, style_tables, style_boxes, style_fonts)


def stylistic_view(page: PageFeatures) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, page.table)
