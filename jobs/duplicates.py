"""Pages that say nearly the same: found by MinHash (Broder 1997) before anything is learned or split.

A page is the set of its word shingles, of long blocks that are not its site's template. Bands of the signature bring
candidates together; in a band every page is compared with the smallest id only, so a copy in a million pages costs a
million comparisons and not their square. What is verified is joined, and the smallest id stands for its group.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import xxhash

from jobs.frequencies import KEYS, keyed
from jobs.replacing import replace_rows
from jobs.views import frame, having
from parcels.store import Store

LEAST_CHARS = 60  # of a block: shorter ones are menus and bylines
TEMPLATE_PAGES = 5  # a block on more pages of its host is template
SHINGLE = 4  # words
HASHES, BANDS = 64, 16
LEAST_SIMILARITY = 0.8
LINKS = 4  # steps from a page to the smallest of its group
SIGNED_PAGES = "page_id string, signature binary, bands array<bigint>"

_RANDOM = np.random.default_rng(20_261_116)
_TIMES = _RANDOM.integers(1, 2**63, HASHES, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_PLUS = _RANDOM.integers(0, 2**63, HASHES, dtype=np.uint64)


def copies(spark: Any, store: Store, crawl: str) -> Any:
    """The pages that another page stands for."""
    return frame(spark, store, "near_duplicates").where(having(crawl=crawl)).select("page_id")


def near_duplicates(spark: Any, store: Store, crawl: str, *, run_id: str) -> int:
    """Find the copies of a crawl anew; returns how many there are."""
    from pyspark.sql import functions as f

    blocks = frame(spark, store, "blocks").where(having(crawl=crawl)).where(f.length("text") >= LEAST_CHARS)
    host = f.coalesce("host", f.lit("")).alias("host")
    keys = blocks.select(host, "page_id", "text").mapInArrow(keyed, KEYS)
    template = frame(spark, store, "site_blocks").where(having(crawl=crawl)).where(f.col("page_count") > TEMPLATE_PAGES)
    own = keys.join(template.select("host", "block_hash"), ["host", "block_hash"], "left_anti")
    texts = own.groupBy("page_id").agg(f.sort_array(f.collect_set("text")).alias("texts"))
    signed = texts.mapInArrow(_signed, SIGNED_PAGES).cache()
    banded = signed.select("page_id", f.posexplode("bands").alias("band", "key"))
    first = banded.groupBy("band", "key").agg(f.min("page_id").alias("kept"))
    pairs = banded.join(first, ["band", "key"]).where("page_id <> kept").select("page_id", "kept").distinct()
    one, other = signed.select("page_id", "signature"), signed.selectExpr("page_id AS kept", "signature AS theirs")
    compared = (
        pairs.join(one, "page_id")
        .join(other, "kept")
        .mapInArrow(_compared, "page_id string, kept string, similarity float")
    )
    alike = compared.where(f.col("similarity") >= LEAST_SIMILARITY)
    links = alike.groupBy("page_id").agg(f.min(f.struct("kept", "similarity")).alias("to")).select("page_id", "to.*")
    for _ in range(LINKS):
        further = links.selectExpr("page_id AS kept", "kept AS beyond")
        links = links.join(further, "kept", "left").select(
            "page_id", f.coalesce("beyond", "kept").alias("kept"), "similarity"
        )  # fmt: skip
    rows = links.select("page_id", f.col("kept").alias("duplicate_of"), "similarity")
    count = replace_rows(rows, store, "near_duplicates", crawl=crawl, run_id=run_id, by=["page_id"])
    signed.unpersist()
    return count


def _signed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        found = [signature(texts) for texts in batch.column("texts").to_pylist()]
        yield pa.record_batch(
            {
                "page_id": batch.column("page_id"),
                "signature": pa.array([one.tobytes() for one in found], pa.binary()),
                "bands": pa.array([bands(one) for one in found], pa.list_(pa.int64())),
            }
        )


def _compared(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        pairs = zip(batch.column("signature").to_pylist(), batch.column("theirs").to_pylist(), strict=True)
        alike = [
            float(np.mean(np.frombuffer(one, np.uint64) == np.frombuffer(other, np.uint64))) for one, other in pairs
        ]
        yield pa.record_batch(
            {
                "page_id": batch.column("page_id"),
                "kept": batch.column("kept"),
                "similarity": pa.array(alike, pa.float32()),
            }
        )


def signature(texts: Iterable[str]) -> npt.NDArray[np.uint64]:
    """For each of several hash functions the smallest value of the texts' shingles.

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


def bands(found: npt.NDArray[np.uint64]) -> list[int]:
    """A hash a band: pages with one in common are compared."""
    parts = found.reshape(BANDS, -1)
    return [xxhash.xxh64_intdigest(part.tobytes()) - (1 << 63) for part in parts]
