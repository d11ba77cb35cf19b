"""Data of the part-of-speech tagger: see card.md."""
