"""Published segmenters, for comparison: block fusion, correlation clustering, graph cuts, VIPS.

In: a laid-out page. Out: the segment of each leaf.
"""
