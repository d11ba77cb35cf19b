"""The context view: the position of a block in its page, its neighbours, its list and its links.

In: the typed table of the page's blocks. Out: one row per block, one column per feature.
"""
