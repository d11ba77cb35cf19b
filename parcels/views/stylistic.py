"""The stylistic view (Lee, Kan and Lai 2004, section 5.2): how a block looks and where it stands, not what it says.

Its features are registered in the modules below, which fill one column each from Look.table.
"""

from parcels.views import style_boxes, style_fonts, style_linear, style_tables
from parcels.views.feature import features_of, fill_columns
from parcels.views.look import Floats, Look

FEATURES = features_of("style", style_linear, style_tables, style_boxes, style_fonts)


def stylistic_view(look: Look) -> Floats:
    """Return one row per block, one column per feature."""
    return fill_columns(FEATURES, look.table)
