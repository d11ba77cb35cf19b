"""The style view: fonts, colours, boxes and tables of a block.

In: the typed table of the page's blocks. Out: one column per feature.
"""
