"""The fields of an article: title, date, authors, source, place, language.

In: the lines of a page and what it states to machines. Out: values, or nothing where the page does not say.
"""
