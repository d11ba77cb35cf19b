"""The shipped, trained models: folders of plain data, each with a card that says how it was made."""
