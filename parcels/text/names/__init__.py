"""Names of persons, places and organisations in tagged tokens.

In: tokens with their tags. Out: runs of tokens with the kind of name.
"""
