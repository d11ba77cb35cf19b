"""Words of a page: tokens, stems, part-of-speech tags, names, dates. Importing anything here imports no NLTK."""
