"""Segments of pages: see card.md."""
