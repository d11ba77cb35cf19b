"""SQL over the tables of a store: DuckDB views, the guard that lets only reading statements pass, the schema.

In: a store and a statement. Out: rows as Arrow batches.
"""
