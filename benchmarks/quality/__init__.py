"""How good: scores on the labelled corpora, and the floors that `make quality` checks."""
