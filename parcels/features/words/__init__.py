"""The lexical view: what the words of a block say.

In: the analysed texts of the page's blocks. Out: one column per feature, and a bag of stems per block.
"""
