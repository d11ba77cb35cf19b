"""Article, index page or other: a home page, section or tag page is told from a page with a text of its own.

In: a page's lines, metadata and address. Out: a probability for each of the three. No word of any language is read.
"""
