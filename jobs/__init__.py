"""The jobs: one file per job, tables in, a table out. The core does the work."""
