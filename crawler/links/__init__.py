"""Decide which links a crawl follows, in which order, and which pages are copies or of an unwanted type.

In: a page and what the crawl has learned. Out: addresses for the frontier, with scores.
"""
