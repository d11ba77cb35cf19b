"""Output of commands: tables for terminals, formats of queries, drawings."""
