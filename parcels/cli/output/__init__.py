"""Output of commands: tables for terminals, formats of query results, drawings."""
