"""Layout in tracks: tables, flex containers and grids.

In: styles and intrinsic widths of the items. Out: places and sizes of the tracks.
"""
