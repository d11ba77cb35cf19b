"""Decide whether a page is an article, an index page (home, section or tag page) or something else.

In: a page's lines, metadata and address. Out: a probability for each of the three. No word of any language is read.
"""
