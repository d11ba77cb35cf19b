"""Views of a page's blocks: each a table of features, small named functions (parcels.features.feature)."""
