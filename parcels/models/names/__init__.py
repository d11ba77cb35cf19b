"""Data of the name recogniser: see card.md."""
