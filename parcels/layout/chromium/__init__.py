"""Boxes from a real Chromium, in the form that the virtual screen gives them.

In: the stored bytes of a page and its style sheets. Out: `Layout`. Needs the extra `browser`.
"""
