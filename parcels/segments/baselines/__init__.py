"""Published segmenters, peers of the structured one: block fusion, correlation clustering, graph cuts, VIPS.

In: a page that was laid out. Out: the same segments as the default segmenter gives.
"""
