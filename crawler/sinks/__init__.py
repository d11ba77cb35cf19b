"""Store fetched pages: first in a synced spool, then in large Parquet files, optionally also in WARC files."""
