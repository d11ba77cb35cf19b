"""Fetch addresses: robots.txt, DNS, refused requests, size limits, rendering by Chromium.

In: a leased address. Out: an answer within bounds, or the reason why there is none.
"""
