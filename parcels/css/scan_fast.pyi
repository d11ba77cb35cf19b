from parcels.css.scan_plain import blocks, fate, has_seen, plain_parts, without_comments

__all__ = ["blocks", "fate", "has_seen", "plain_parts", "without_comments"]
