"""Block and inline layout: lines, floats, margins, intrinsic widths.

In: styles and texts of a page. Out: boxes of elements and leaves in CSS pixels.
"""
