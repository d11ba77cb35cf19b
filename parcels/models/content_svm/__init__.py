"""The content extractor of Yao and Zuo, trained."""
