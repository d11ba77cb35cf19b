"""The dates of an article: when it was published and when it was last changed.

In: the lines of a page, its metadata claims and its address. Out: two dates or moments in ISO 8601, or None.
"""
