"""Values of properties: lengths, colours, shorthands, grid templates, variables and media conditions.

In: the text of a declaration or a condition. Out: numbers by column, or whether a condition holds.
"""
