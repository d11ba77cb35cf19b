"""Labels of the blocks of news pages: see card.md."""
