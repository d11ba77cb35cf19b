"""Segmentation by structured prediction (Bing et al. 2014): the visual parts of a page.

In: a laid-out page. Out: a tree of segments, and the informative one.
"""
