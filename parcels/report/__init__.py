"""The report about a store: one HTML file with plots as SVG."""
