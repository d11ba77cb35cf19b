"""Words of texts: tokens, stems, part-of-speech tags, names, dates.

In: texts, such as those of a page's blocks. Out: arrays with one entry per token (analysis.Analysis), dates and spans.
NLTK is imported only to train a tagger.
"""
