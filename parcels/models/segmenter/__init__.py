"""Data of the segmenter model: see card.md."""
