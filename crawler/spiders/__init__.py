"""Spiders: news, directory, and room for focused ones."""
