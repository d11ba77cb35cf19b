"""The lexical view: words, part-of-speech tags, names, dates and links of a block.

In: the analysed texts of the page's blocks. Out: one column per feature, and a bag of stems per block.
"""
