"""A sheet's text with only such braces and semicolons as mean something."""

import re
from array import array

from parcels.css.sheets.scan import braces, without_comments

_HTML_COMMENT = re.compile(r"<!--|-->")  # the signs that hid a sheet from browsers of the last century


def cleaned(text: str) -> str:
    r"""Return text in which braces and semicolons stand only where they mean something.

    >>> cleaned('/* { */ a::after { content: "}" }')
    ' a::after { content: "\\7d " }'
    """
    return without_comments(_without_html_comments(text))


def braced(text: str) -> tuple[str, "array[int]", int]:
    """Return the cleaned text, the places of its braces, and how many more are opened than closed."""
    return braces(_without_html_comments(text))


def _without_html_comments(text: str) -> str:
    return _HTML_COMMENT.sub("", text) if "<!--" in text or "-->" in text else text
