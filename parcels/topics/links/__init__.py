"""Scores of links for a focused crawl: features of a link, outcomes of its siblings, and models that learn online.

In: the links of a page and the page's topic probability. Out: the probability that a link leads to the topic.
"""
