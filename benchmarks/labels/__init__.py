"""Labels that readers gave to pages of other corpora: the files, and the tool that has pages read."""
