"""Counts over whole crawls: the tables `site_blocks` (pages of a host on which a block occurs) and
`document_frequencies` (pages in which a term occurs).

Both are counted in two steps, within each task and then over all tasks, by keys that contain the block or the term in
addition to the host. So a host with half of all pages is spread over as many tasks as it has blocks.
"""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from jobs.engine.interface import Engine
from jobs.featurize import feature_list, signed
from parcels.features.site import block_key
from parcels.store import Store

TEXT = 200  # characters of a block's text that are stored
LEAST_PAGES = 2  # a block on one page does not repeat; a term on one page is no evidence
KEYS = pa.schema(
    [("host", pa.string()), ("page_id", pa.string()), ("block_hash", pa.int64()), ("text", pa.string())]
)  # fmt: skip
BLOCKS = "SELECT host, page_id, text FROM {blocks} WHERE host IS NOT NULL AND text <> ''"
SITE_BLOCKS = """
WITH on_page AS (
    SELECT host, block_hash, page_id, min(text) AS text FROM {keys} GROUP BY host, block_hash, page_id
), repeated AS (
    SELECT host, block_hash, count(*) AS page_count, min(text) AS text FROM on_page GROUP BY host, block_hash
), hosts AS (
    SELECT host, count(DISTINCT page_id) AS host_page_count FROM {blocks}
    WHERE host IS NOT NULL AND text <> '' GROUP BY host
)
SELECT r.host, r.block_hash, r.page_count, h.host_page_count, r.text
FROM repeated r JOIN hosts h ON r.host = h.host WHERE r.page_count >= LEAST_PAGES
""".replace("LEAST_PAGES", str(LEAST_PAGES))
FREQUENCIES = """
WITH rows AS (SELECT page_id, terms FROM {features} WHERE feature_list = 'FEATURE_LIST'
), listed AS (SELECT page_id, {explode}(terms) AS counted FROM rows
), on_page AS (
    SELECT counted.term AS term, page_id, count(*) AS block_count FROM listed GROUP BY counted.term, page_id
), terms AS (
    SELECT term, CAST(sum(block_count) AS bigint) AS block_count, count(*) AS page_count FROM on_page GROUP BY term
), whole AS (SELECT count(*) AS all_block_count, count(DISTINCT page_id) AS all_page_count FROM rows
)
SELECT t.term, t.block_count, t.page_count, w.all_block_count, w.all_page_count
FROM terms t CROSS JOIN whole w WHERE t.page_count >= LEAST_PAGES
""".replace("LEAST_PAGES", str(LEAST_PAGES))


def site_blocks(engine: Engine, store: Store, crawl: str, *, run_id: str) -> int:
    """Count the pages of its host on which each block occurs, and return the number of rows."""
    blocks = engine.table(store, "blocks", crawl)
    keys = engine.map_batches(engine.sql(BLOCKS, blocks=blocks), keyed, KEYS)
    rows = engine.sql(SITE_BLOCKS, keys=keys, blocks=blocks)
    return engine.replace_rows(rows, store, "site_blocks", crawl=crawl, run_id=run_id, by=["host", "block_hash"])


def keyed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the key of each block, which does not depend on the numbers in its text."""
    for batch in batches:
        texts = batch.column("text").to_pylist()
        columns = [
            batch.column("host"),
            batch.column("page_id"),
            pa.array([signed(block_key(text)) for text in texts], pa.int64()),
            pa.array([text[:TEXT] for text in texts], pa.string()),
        ]
        yield pa.record_batch(columns, schema=KEYS)


def document_frequencies(engine: Engine, store: Store, crawl: str, *, run_id: str) -> int:
    """Count the blocks and pages in which each term occurs, and return the number of rows."""
    features = engine.table(store, "features", crawl)
    rows = engine.sql(FREQUENCIES.replace("FEATURE_LIST", feature_list()), features=features)
    return engine.replace_rows(rows, store, "document_frequencies", crawl=crawl, run_id=run_id, by=["term"])
