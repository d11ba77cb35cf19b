from parcels.css.scan_plain import fate, has_seen, likelihood, plain_compounds, plain_parts, plain_start, selector_list

__all__ = ["fate", "has_seen", "likelihood", "plain_compounds", "plain_parts", "plain_start", "selector_list"]
