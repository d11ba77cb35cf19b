"""Articles and index pages told apart: see card.md."""
