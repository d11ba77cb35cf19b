"""The WPS-graph of a page (Bing et al. 2014): boundaries, their features, inference and learning.

In: a laid-out page. Out: a labelling, that is, the boundaries that cut.
"""
