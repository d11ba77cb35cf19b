"""The WPS-graph of a page: its boundaries, their features, its best labellings, and how their weights are learned.

In: a page that was laid out. Out: which boundaries cut (Bing et al. 2014).
"""
