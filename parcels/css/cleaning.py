"""A sheet's text with only such braces and semicolons as mean something."""

import re

from parcels.css.scan import has_html_comment, without_comments

_HTML_COMMENT = re.compile(r"<!--|-->")  # the signs that hid a sheet from browsers of the last century


def cleaned(text: str) -> str:
    r"""Text in which braces and semicolons stand only where they mean something.

    >>> cleaned('/* { */ a::after { content: "}" }')
    ' a::after { content: "\\7d " }'
    """
    if has_html_comment(text):
        text = _HTML_COMMENT.sub("", text)
    return without_comments(text)
