"""The questions that are asked of every character of a sheet: in C where that is compiled, else by regular expressions.

Both give the same answers.
"""

from parcels.css.scan_plain import OTHER_LIST, PASSED_OVER, PLAIN_LIST

try:
    from parcels.css.scan_fast import blocks, fate, has_seen, pairs, plain_parts, plain_start, without_comments
except ImportError:
    from parcels.css.scan_plain import blocks, fate, has_seen, pairs, plain_parts, plain_start, without_comments

__all__ = [
    "OTHER_LIST",
    "PASSED_OVER",
    "PLAIN_LIST",
    "blocks",
    "fate",
    "has_seen",
    "pairs",
    "plain_parts",
    "plain_start",
    "without_comments",
]
