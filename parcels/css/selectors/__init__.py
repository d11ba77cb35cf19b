"""Selectors: parse them, index them by the names that they require, match them against the elements of a page.

In: the text of a selector and the arrays of a page. Out: the rows that match.
"""
