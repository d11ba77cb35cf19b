"""Yao and Zuo's content extraction: text blocks, eighteen features, a support vector machine.

In: a page. Out: its article, for `--extractor svm`.
"""
