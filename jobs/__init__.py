"""The Spark jobs: one file a job, a table in, a table out; the core does the work."""
