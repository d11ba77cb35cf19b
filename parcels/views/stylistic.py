"""The stylistic view (Lee, Kan and Lai 2004, section 5.2): how a block looks and where it stands, not what it says.

Each feature is a function from a Look to one number a block; FEATURES lists them in the order of the vector.
"""

from parcels.views import style_boxes, style_fonts, style_linear, style_tables
from parcels.views.feature import columns
from parcels.views.look import Column, Floats, Look

FEATURES: tuple[Column, ...] = (
    *style_linear.FEATURES,
    *style_tables.FEATURES,
    *style_boxes.FEATURES,
    *style_fonts.FEATURES,
)
NAMES: tuple[str, ...] = tuple(feature.__name__ for feature in FEATURES)


def stylistic_view(look: Look) -> Floats:
    """One row a block, one column a feature."""
    return columns(FEATURES, look, len(look))
