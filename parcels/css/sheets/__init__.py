"""Style sheets: find them, clean their text, split them into rules and declarations.

In: a page and the sheets beside it. Out: rules whose selectors and declarations are parsed when a page needs them.
"""
