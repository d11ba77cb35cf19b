"""Topics by layout (Kovacevic et al. 2003): the topic of a page, and the links that lead to a topic.

In: a page, laid out or not. Out: a probability per topic, and a score per link.
"""
