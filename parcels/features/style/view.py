"""The stylistic view (Lee, Kan and Lai 2004, section 5.2): how a block looks and where it stands, not what it says.

Its features are registered in the modules below, which fill one column each from Look.table.
"""

from parcels.features.feature import features_of, fill_columns
from parcels.features.look import Floats, Look
from parcels.features.style import boxes as style_boxes
from parcels.features.style import fonts as style_fonts
from parcels.features.style import linear as style_linear
from parcels.features.style import tables as style_tables

FEATURES = features_of("style", style_linear, style_tables, style_boxes, style_fonts)


def stylistic_view(look: Look) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, look.table)
