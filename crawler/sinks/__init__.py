"""Where fetched pages go: an fsynced spool first, then Parquet files of a good size, and WARC if wanted."""
