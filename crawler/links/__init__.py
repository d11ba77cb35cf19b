"""Links and pages of a crawl: which are followed, in which order, which are copies, which types are kept.

In: a page and what the crawl has learned. Out: addresses for the frontier, with scores.
"""
