"""Data of the inverse document frequencies: see card.md."""
