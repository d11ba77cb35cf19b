"""Views of a page's blocks: tables of features, which are small named functions (parcels.features.feature).

In: a divided and laid-out page (page_features.PageFeatures) and its analysed texts.
Out: one array per view with one row per block and one column per feature, and two bags of words per block.
"""
