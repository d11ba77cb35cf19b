from parcels.css.scan_plain import blocks, has_html_comment, pairs, unclosed, without_comments

__all__ = ["blocks", "has_html_comment", "pairs", "unclosed", "without_comments"]
