"""Articles and main content.

In: a page. Out: its title, date, authors, text, images, page type and a confidence.
"""
