"""Topics of news pages: see card.md."""
