"""The shipped models: folders of plain data, each with a card that describes how it was trained."""
