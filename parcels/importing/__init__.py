"""Pages and gold labels that come from files instead of a crawl.

Importing the same files again adds nothing: pages that are known are counted as skipped. What is left out is counted
with a reason; what could have been a page and is not has a row in `rejects`; every import has a row in `runs`.
"""
