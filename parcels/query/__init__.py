"""SQL over the tables of a store: the schema, DuckDB views, and the guard that allows only reading statements.

In: a store and a statement. Out: rows as Arrow batches.
"""
