"""CSS: parse style sheets, match selectors, and cascade to the computed style of every node."""
