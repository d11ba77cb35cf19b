"""The fields of an article: title, date, authors, source, place, language.

In: the lines of a page and its metadata claims. Out: values with confidences, or None.
"""
