"""Mark elements with gold labels in templates, and remove the marks from served pages.

A template writes `data-gold="LABEL"` on elements; the label of a leaf is that of its nearest marked ancestor (or of
itself, for an image or a control). Taking the attribute out changes nothing else, so the marked page and the served
one have the same leaves in the same order.
"""

import re

ATTRIBUTE = "data-gold"
LABELS = (
    "title",
    "timestamp",
    "reporter",
    "source",
    "country",
    "contentimage",
    "maincontent",
    "contentlink",
    "suppcontent",
    "subheaders",
    "relatedlinks",
    "newsletter",
    "siteimage",
    "sitecontent",
    "sitenav",
    "ads",
    "search",
)
MARK = re.compile(rf' {ATTRIBUTE}="(?:{"|".join(LABELS)})"')


def gold(label: str) -> str:
    """Return the gold attribute for a start tag, with its leading space.

    >>> "<p" + gold("title") + ">"
    '<p data-gold="title">'
    """
    if label not in LABELS:
        raise ValueError(f"{label!r} is none of the 17 labels: {', '.join(LABELS)}")
    return f' {ATTRIBUTE}="{label}"'


def unmarked(html: str) -> str:
    """Return the page without gold marks, as it is served.

    >>> unmarked('<p data-gold="title" class=x>The gold rush</p>')
    '<p class=x>The gold rush</p>'
    """
    return MARK.sub("", html)
