from parcels.css.scan_plain import braces, has_html_comment, in_memory, pairs, without_comments

__all__ = ["braces", "has_html_comment", "in_memory", "pairs", "without_comments"]
