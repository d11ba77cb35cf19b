"""The style view: length, enclosing tags, table cells, boxes and fonts of a block.

In: the typed table of the page's blocks. Out: one row per block, one column per feature.
"""
