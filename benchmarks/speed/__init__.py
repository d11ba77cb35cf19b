"""How fast: time and memory, against named peers in the same run."""
