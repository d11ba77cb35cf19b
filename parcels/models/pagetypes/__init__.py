"""Data of the model of page types: see card.md."""
