"""duplicates: `blocks` and `site_blocks` in, `near_duplicates` out, by MinHash (Broder 1997).

A page is the set of the word shingles of its long blocks that are not part of its site's template. Pages with a common
band of their signatures are candidates. Within a band every page is compared with the smallest id only, so a text that
is on a million pages costs a million comparisons and not their square. Verified pairs are joined into groups, each of
which is represented by its smallest id.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import xxhash

from jobs.cotraining.frequencies import KEYS, keyed
from jobs.engine.interface import Engine
from jobs.engine.spark_tables import frame, having
from parcels.store import Store

LEAST_CHARS = 60  # of a block: shorter blocks are menus and bylines
TEMPLATE_PAGES = 5  # a block on more pages of its host belongs to the template
SHINGLE = 4  # words
HASHES, BANDS = 64, 16
LEAST_SIMILARITY = 0.8
LINKS = 4  # steps from a page to the smallest of its group
SIGNED_PAGES = pa.schema([("page_id", pa.string()), ("signature", pa.binary()), ("bands", pa.list_(pa.int64()))])
COMPARED = pa.schema([("page_id", pa.string()), ("kept", pa.string()), ("similarity", pa.float32())])
BLOCKS = f"SELECT coalesce(host, '') AS host, page_id, text FROM {{blocks}} WHERE length(text) >= {LEAST_CHARS}"
TEXTS = f"""
SELECT page_id, array_agg(DISTINCT text) AS texts FROM {{keys}} k
WHERE NOT EXISTS (
    SELECT 1 FROM {{template}} t
    WHERE t.host = k.host AND t.block_hash = k.block_hash AND t.page_count > {TEMPLATE_PAGES}
) GROUP BY page_id
"""
PAIRS = """
WITH banded AS (SELECT page_id, {explode}(bands) AS band FROM {signed}
), smallest AS (SELECT band, min(page_id) AS kept FROM banded GROUP BY band
), pairs AS (
    SELECT DISTINCT b.page_id, s.kept FROM banded b JOIN smallest s ON b.band = s.band WHERE b.page_id <> s.kept
)
SELECT p.page_id, p.kept, a.signature, b.signature AS theirs
FROM pairs p JOIN {signed} a ON a.page_id = p.page_id JOIN {signed} b ON b.page_id = p.kept
"""
LINKED = f"""
SELECT page_id, min(kept) AS kept, min_by(similarity, kept) AS similarity
FROM {{compared}} WHERE similarity >= {LEAST_SIMILARITY} GROUP BY page_id
"""
FURTHER = """
SELECT l.page_id, coalesce(f.kept, l.kept) AS kept, l.similarity
FROM {links} l LEFT JOIN {links} f ON f.page_id = l.kept
"""

_RANDOM = np.random.default_rng(20_261_116)
_TIMES = _RANDOM.integers(1, 2**63, HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_PLUS = _RANDOM.integers(0, 2**63, HASHES, dtype=np.uint64)


def copies(spark: Any, store: Store, crawl: str) -> Any:
    """Return the ids of pages that are copies of another page."""
    return frame(spark, store, "near_duplicates").where(having(crawl=crawl)).select("page_id")


def near_duplicates(engine: Engine, store: Store, crawl: str, *, run_id: str) -> int:
    """Compute the near duplicates of a crawl, and return their number."""
    blocks = engine.sql(BLOCKS, blocks=engine.table(store, "blocks", crawl))
    keys = engine.map_batches(blocks, keyed, KEYS)
    texts = engine.sql(TEXTS, keys=keys, template=engine.table(store, "site_blocks", crawl))
    with ExitStack() as stack:
        pages = stack.enter_context(engine.cached(engine.map_batches(texts, _signed, SIGNED_PAGES)))
        compared = engine.map_batches(engine.sql(PAIRS, signed=pages), _compared, COMPARED)
        links = stack.enter_context(engine.cached(engine.sql(LINKED, compared=compared)))
        for _ in range(LINKS):
            links = stack.enter_context(engine.cached(engine.sql(FURTHER, links=links)))
        rows = engine.sql("SELECT page_id, kept AS duplicate_of, similarity FROM {links}", links=links)
        return engine.replace_rows(rows, store, "near_duplicates", crawl=crawl, run_id=run_id, by=["page_id"])


def _signed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        signatures = [signature(texts) for texts in batch.column("texts").to_pylist()]
        columns = [
            batch.column("page_id"),
            pa.array([one.tobytes() for one in signatures], pa.binary()),
            pa.array([bands(one) for one in signatures], pa.list_(pa.int64())),
        ]
        yield pa.record_batch(columns, schema=SIGNED_PAGES)


def _compared(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        pairs = zip(batch.column("signature").to_pylist(), batch.column("theirs").to_pylist(), strict=True)
        similarity = [
            float(np.mean(np.frombuffer(one, np.uint64) == np.frombuffer(other, np.uint64))) for one, other in pairs
        ]
        columns = [batch.column("page_id"), batch.column("kept"), pa.array(similarity, pa.float32())]
        yield pa.record_batch(columns, schema=COMPARED)


def signature(texts: Iterable[str]) -> npt.NDArray[np.uint64]:
    """Return for each of several hash functions the smallest value of the texts' shingles.

    >>> words = "the quick brown fox jumps over the lazy dog and then it sleeps for a long while in the sun".split()
    >>> one, other = signature([" ".join(words)]), signature([" ".join([*words, "again"])])
    >>> float((one == other).mean()) > 0.8
    True
    """
    shingles = set()
    for text in texts:
        words = text.lower().split()
        for first in range(max(len(words) - SHINGLE, 0) + 1):
            shingles.add(xxhash.xxh64_intdigest(" ".join(words[first : first + SHINGLE]).encode("utf-8", "replace")))
    values = np.array(sorted(shingles), np.uint64)
    return (values[:, None] * _TIMES + _PLUS).min(axis=0)  # type: ignore[no-any-return]  # uint64 wraps: that is the hash


def bands(signature: npt.NDArray[np.uint64]) -> list[int]:
    """Return a hash for each band, seeded by its number. Pages with a common hash are compared."""
    parts = signature.reshape(BANDS, -1)
    return [xxhash.xxh64_intdigest(part.tobytes(), number) - (1 << 63) for number, part in enumerate(parts)]
