"""The files that the browser gets as they are."""
