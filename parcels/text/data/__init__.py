"""Word lists as data: names, words near names, stop words."""
