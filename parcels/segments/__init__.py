"""Segmentation by structured prediction (Bing et al. 2014): the parts of a page as its readers see them.

In: a page that was laid out. Out: a tree of segments, and the informative one.
"""
