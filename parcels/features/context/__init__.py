"""The context view: where a block stands in the page and what is around it.

In: the typed table of the page's blocks. Out: one column per feature.
"""
