"""What whole crawls say: blocks that repeat within a host (`site_blocks`), and in how many pages a term occurs
(`document_frequencies`).

Both count in two steps, first within the tasks and then over all, and by keys that hold the block or the term beside
the host: a host with half of all pages is spread over as many tasks as it has blocks.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from jobs.featurize import feature_list, signed
from jobs.replacing import replace_rows
from jobs.views import frame, having
from parcels.store import Store
from parcels.views.site import block_key

TEXT = 200  # characters of a block's text that are kept
LEAST_PAGES = 2  # a block on one page does not repeat; a term on one page is no evidence
KEYS = "host string, page_id string, block_hash bigint, text string"


def site_blocks(spark: Any, store: Store, crawl: str, *, run_id: str) -> int:
    """Count on how many pages of its host each block stands; returns the rows."""
    from pyspark.sql import functions as f

    blocks = frame(spark, store, "blocks").where(having(crawl=crawl)).where("host IS NOT NULL AND text <> ''")
    keys = blocks.select("host", "page_id", "text").mapInArrow(keyed, KEYS)
    pages = keys.groupBy("host", "block_hash", "page_id").agg(f.min("text").alias("text"))
    repeated = pages.groupBy("host", "block_hash").agg(
        f.count("*").alias("page_count"), f.min("text").alias("text")
    )  # fmt: skip
    hosts = blocks.select("host", "page_id").distinct().groupBy("host").agg(f.count("*").alias("host_page_count"))
    rows = repeated.where(f.col("page_count") >= LEAST_PAGES).join(hosts, "host")
    columns = ["host", "block_hash", "page_count", "host_page_count", "text"]
    return replace_rows(
        rows.select(columns), store, "site_blocks", crawl=crawl, run_id=run_id, by=["host", "block_hash"]
    )


def keyed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The key of each block: what repeats says the same but for numbers."""
    for batch in batches:
        texts = batch.column("text").to_pylist()
        yield pa.record_batch(
            {
                "host": batch.column("host"),
                "page_id": batch.column("page_id"),
                "block_hash": pa.array([signed(block_key(text)) for text in texts], pa.int64()),
                "text": pa.array([text[:TEXT] for text in texts], pa.string()),
            }
        )


def document_frequencies(spark: Any, store: Store, crawl: str, *, run_id: str) -> int:
    """Count in how many blocks and pages each term occurs; returns the rows."""
    from pyspark.sql import functions as f

    features = frame(spark, store, "features").where(having(crawl=crawl, feature_list=feature_list()))
    terms = features.select("page_id", f.explode("terms.term").alias("term"))
    pages = terms.groupBy("term", "page_id").agg(f.count("*").alias("block_count"))
    counted = pages.groupBy("term").agg(f.sum("block_count").alias("block_count"), f.count("*").alias("page_count"))
    whole = features.agg(f.count("*"), f.count_distinct("page_id")).first()
    rows = counted.where(f.col("page_count") >= LEAST_PAGES)
    rows = rows.withColumn("all_block_count", f.lit(whole[0])).withColumn("all_page_count", f.lit(whole[1]))
    return replace_rows(rows, store, "document_frequencies", crawl=crawl, run_id=run_id, by=["term"])
