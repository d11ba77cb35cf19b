"""The report: one HTML file that shows what is in a store, with plots drawn as SVG."""
