"""Fetching: robots.txt, network addresses, what is refused, bounded heads and bodies, rendering by Chromium.

In: a leased address. Out: an answer within bounds, or the reason why there is none.
"""
