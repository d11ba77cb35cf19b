"""Functional types of pages: see card.md."""
