"""What a link is worth to a focused crawl: its words, address, place and siblings, and models that learn online.

In: the links of a page and the page's own scores. Out: the chance that a link leads to the topic.
"""
