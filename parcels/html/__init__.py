"""Read a page: bytes to text, text to a repaired tree, tree to flat arrays of elements and visible leaves.

In: the bytes or text of a page, its address, limits. Out: `Page`, which every other step reads.
"""
