"""Data of Yao and Zuo's content extractor: see card.md."""
