"""The questions that are asked of every character of a sheet: in C where that is compiled, else by regular expressions.

Both give the same answers.
"""

try:
    from parcels.css.scan_fast import braces, has_html_comment, in_memory, pairs, without_comments
except ImportError:
    from parcels.css.scan_plain import braces, has_html_comment, in_memory, pairs, without_comments

__all__ = ["braces", "has_html_comment", "in_memory", "pairs", "without_comments"]
