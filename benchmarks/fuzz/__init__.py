"""Search for memory errors in the compiled modules: `make sanitize`.

In: real pages (of the corpora, or of the example web), which are mutated, and the pages of the tests. They are read by
the package built with AddressSanitizer, UndefinedBehaviorSanitizer and all bounds checks. Out: the pages with a report.
"""
