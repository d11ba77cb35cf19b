"""`python -m benchmarks scale_pool`: co-training over a large pool on this machine.

The blocks are made up, no two alike: classes with templates of their own, hosts of very uneven size that shift the
numbers, and a vocabulary that grows with the pool (Heaps). Told are the seconds and bytes of each round and the memory
of the driver. Settings: PARCELS_POOL_BLOCKS (1000000), PARCELS_POOL_ROUNDS (12), PARCELS_POOL_MASTER (local[2]).
"""

import os
import resource
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from jobs.cotrain import CoTrainSettings, SparkTraining
from jobs.cotraining.pool import make_pool
from jobs.engine.job_context import JobContext, JobOptions
from jobs.engine.rows import NEEDED, OF_CORE
from jobs.engine.scratch import Scratch
from jobs.engine.session import open_session
from jobs.engine.spark_engine import SparkEngine
from parcels.features.registry import NUMBERS
from parcels.learn.pool import pool_hash
from parcels.store import open_store

CLASSES = np.array(["ads", "maincontent", "sitenav", "title"])
SHARES = [0.2, 0.3, 0.45, 0.05]
TERMS = 12  # of a block, at most
LABELLED = 400
BYTES_SLACK = 2.0  # a round may read so many times its share: row groups are read whole
CHUNK = 5_000


def made(first: int, count: int) -> pa.Table:
    """Blocks `first` to `first + count`, always the same ones."""
    random = np.random.default_rng(first)
    kind = random.choice(len(CLASSES), count, p=SHARES)
    host = np.minimum(random.zipf(1.3, count), 5_000)
    ids = [
        f"{number:032x}{'ab7a014e'}{int(h) % (1 << 24):06x}"
        for number, h in zip(range(first, first + count), host, strict=True)
    ]
    columns = {"block_id": pa.array(ids, pa.string())}
    for own, column in OF_CORE.items():
        width = len(NUMBERS[own])
        numbers = random.normal(size=(count, width)).astype(np.float32)
        numbers[np.arange(count), kind % width] += 2.0  # the template of the class
        numbers[:, -1] += host % 7  # the site
        columns[column] = pa.ListArray.from_arrays(
            np.arange(0, (count + 1) * width, width, dtype=np.int32), numbers.ravel()
        )
    known = 2_000 + int(40 * np.sqrt(first + count))
    words = random.zipf(1.2, (count, TERMS)) % known + kind[:, None] * 7
    terms = [[{"term": f"t{word}", "count": 1} for word in sorted(set(row))] for row in words.tolist()]
    columns["terms"] = pa.array(terms, pa.list_(pa.struct({"term": pa.string(), "count": pa.int32()})))
    columns["pool_hash"] = pa.array([pool_hash(one) for one in ids], pa.int64())
    return pa.table(columns).append_column("label", pa.array(CLASSES[kind].tolist()))


def _made(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for first in batch.column("id").to_pylist():
            yield from made(first, CHUNK).select([*NEEDED, "pool_hash"]).to_batches()


def main() -> bool:
    blocks = int(os.environ.get("PARCELS_POOL_BLOCKS", "1000000"))
    rounds = int(os.environ.get("PARCELS_POOL_ROUNDS", "12"))
    spark = open_session(os.environ.get("PARCELS_POOL_MASTER", "local[2]"), name="scale_pool")
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "store", create=True)
        scratch = Scratch(store, "_cotrain/scale/pool")
        settings = CoTrainSettings.of(name="pool", rounds=rounds, k=20, u=blocks // rounds, held_out=0.2)
        began = time.monotonic()
        schema = f"{', '.join(_ddl(name) for name in NEEDED)}, pool_hash bigint"
        chunks = spark.range(0, blocks, CHUNK, numPartitions=max(blocks // 50_000, 2))
        pool = make_pool(chunks.mapInArrow(_made, schema), store, scratch, cores=2)
        print(
            f"{pool.rows:,} blocks, {pool.bytes:,} bytes, {len(pool.row_groups):,} row groups; "
            f"made in {time.monotonic() - began:.0f} s"
        )
        labelled = made(blocks * 2, 2 * LABELLED).drop_columns(["pool_hash"])
        terms = sorted({one["term"] for row in labelled["terms"].to_pylist() for one in row})
        scratch.put_rows("labelled.arrow", labelled.slice(0, LABELLED))
        scratch.put_rows("held-out.arrow", labelled.slice(LABELLED))
        scratch.put("vocabulary.txt", "\n".join(terms).encode())
        scratch.put_json("settings.json", settings.made_from())
        measured: list[tuple[int, int]] = []  # of each round: bytes read and memory of the driver

        def measure(line: str) -> None:
            if line.startswith("round "):
                read, memory = training.pool.bytes_read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                measured.append((read, memory))
                seconds = line.rpartition(", ")[2].removesuffix(" s")
                share = read / pool.bytes
                print(f"| {len(measured)} | {seconds} | {read:,} | {share:.3f} | {memory} |", flush=True)

        context = JobContext(SparkEngine(spark), store, "scale", JobOptions(), report=measure)
        training = SparkTraining(context, settings, scratch, "0" * 32)
        training.start()
        print("| round | s | bytes read | of the pool | driver, MB |\n|---|---|---|---|---|")
        training.run_rounds()
        print(f"model {training.store_model()}; error {[done.error for done in training.algorithm.rounds_]}")
    spark.stop()
    is_flat = all(memory < measured[0][1] * 1.2 + 50 for _, memory in measured)
    return is_flat and all(read <= BYTES_SLACK * pool.bytes / rounds for read, _ in measured)


def _ddl(name: str) -> str:
    return {"block_id": "block_id string", "terms": "terms array<struct<term: string, count: int>>"}.get(
        name, f"{name} array<float>"
    )
