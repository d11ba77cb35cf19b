"""The text of an article: which blocks belong to it, and how they are written as text or Markdown.

In: the probability of each block to be content. Out: pieces in reading order.
"""
