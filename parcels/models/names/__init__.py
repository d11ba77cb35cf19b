"""Data only: model.json, arrays.npz, card.md."""
