"""Functional page types such as article or forum (Bing et al. 2014, section 8).

In: a page, laid out or not. Out: its type, with a probability per type.
"""
