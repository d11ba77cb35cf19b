"""Data of the model of block labels on news pages: see card.md."""
