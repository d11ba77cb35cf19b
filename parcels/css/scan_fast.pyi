from parcels.css.scan_plain import blocks, fate, has_seen, pairs, plain_parts, plain_start, without_comments

__all__ = ["blocks", "fate", "has_seen", "pairs", "plain_parts", "plain_start", "without_comments"]
