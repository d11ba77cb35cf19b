"""A model that distinguishes articles and index pages: see card.md."""
