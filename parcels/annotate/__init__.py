"""The browser page: stored pages with their blocks in colour, labels by people, and what is made of them."""
