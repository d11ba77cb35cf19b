"""Import of pages and gold labels from files.

Importing the same files again adds nothing: known pages are counted as skipped. Everything left out is counted with a
reason. A record that could have been a page gets a row in `rejects`, and every import gets a row in `runs`.
"""
