"""Part-of-speech tagging: an averaged perceptron as plain arrays, its training and its files.

In: tokens. Out: one Penn Treebank tag per token.
"""
