"""Data of the topic model of news pages: see card.md."""
