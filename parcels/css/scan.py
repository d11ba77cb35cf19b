"""The questions that are asked of every character of a sheet: in C where that is compiled, else by regular expressions.

Both give the same answers.
"""

from parcels.css.scan_plain import LIKELY, OTHER_LIST, PASSED_OVER, PLAIN_LIST, UNCLEAR, UNKNOWN, UNLIKELY

try:
    from parcels.css.names_fast import Names
    from parcels.css.scan_fast import braces, has_html_comment, in_memory, pairs, without_comments
    from parcels.css.selector_scan_fast import (
        fate,
        has_seen,
        likelihood,
        plain_compounds,
        plain_parts,
        plain_start,
        selector_list,
    )
except ImportError:
    from parcels.css.scan_plain import (
        Names,
        braces,
        fate,
        has_html_comment,
        has_seen,
        in_memory,
        likelihood,
        pairs,
        plain_compounds,
        plain_parts,
        plain_start,
        selector_list,
        without_comments,
    )

__all__ = [
    "LIKELY",
    "OTHER_LIST",
    "PASSED_OVER",
    "PLAIN_LIST",
    "UNCLEAR",
    "UNKNOWN",
    "UNLIKELY",
    "Names",
    "braces",
    "fate",
    "has_html_comment",
    "has_seen",
    "in_memory",
    "likelihood",
    "pairs",
    "plain_compounds",
    "plain_parts",
    "plain_start",
    "selector_list",
    "without_comments",
]
