"""The text of an article: the choice of its blocks, and their output as text or Markdown.

In: the probability that each block is content. Out: pieces in reading order.
"""
