"""Yao and Zuo's content extraction: text blocks, eighteen features, a support vector machine."""
