"""Data only: model.json, learners, clues, card.md."""
