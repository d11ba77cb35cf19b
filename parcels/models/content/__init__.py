"""Data of the content model: see card.md."""
