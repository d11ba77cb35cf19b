"""The virtual screen: boxes for every node and leaf without a browser, and the areas of a page."""
