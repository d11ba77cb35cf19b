"""A round's share of the pool, scored on the executors: each part chooses by itself, the driver merges the choices."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa

from jobs.cotraining.pool import Part, read_part
from jobs.engine.rows import views_of
from jobs.engine.scratch import Scratch, from_bytes, to_bytes
from parcels.learn.learner import Learner
from parcels.learn.select import Votes, agreed, choose
from parcels.learn.stored import learner_from_bytes
from parcels.learn.words import Ints
from parcels.store import open_store

SCORED = "rows bigint, agreed bigint, bytes bigint, chosen array<binary>"
SCORED_SCHEMA = pa.schema(
    [*((name, pa.int64()) for name in ("rows", "agreed", "bytes")), ("chosen", pa.list_(pa.binary()))]
)
VOTE_COLUMNS = {"label": pa.int64(), "confidence": pa.float64(), "margin": pa.float64()}
TASK_PARTS = 64  # row groups of one task


@dataclass(frozen=True)
class Sent:
    """What the executors need for a round; learners travel as bytes."""

    learners: tuple[bytes, ...]
    vocabulary: dict[str, int]
    quotas: Ints
    ranges: tuple[tuple[int, int], ...]
    is_agreed: bool = False


@dataclass(frozen=True)
class Share:
    """What came of parts of the pool: of each view the rows that it chose, surest first; and counts of all rows."""

    chosen: tuple[pa.Table, ...]
    rows: int
    agreed: int
    bytes: int

    @property
    def choices(self) -> list[Votes]:
        """What each view chose."""
        return [_votes(table) for table in self.chosen]

    def features(self) -> pa.Table:
        """The features of all that was chosen, each block once."""
        rows = pa.concat_tables([table.drop_columns(list(VOTE_COLUMNS)) for table in self.chosen])
        first: dict[str, int] = {}
        for place, name in enumerate(rows["block_id"].to_pylist()):
            first.setdefault(name, place)
        return rows.take(pa.array(first.values(), pa.int64()))

    def and_more(self, other: "Share", quotas: Ints) -> "Share":
        """The choice from both."""
        pairs = zip(self.chosen, other.chosen, strict=True)
        chosen = tuple(_best(pa.concat_tables(pair), quotas) for pair in pairs)
        return Share(chosen, self.rows + other.rows, self.agreed + other.agreed, self.bytes + other.bytes)


def score(spark: Any, sent: Sent, parts: Sequence[Part], *, store: str, folder: str) -> Share | None:
    """Broadcast the learners, score the parts, merge the choices, release the broadcast; None without parts."""
    if not parts:
        return None
    context = spark.sparkContext
    broadcast = context.broadcast(sent)
    try:
        tasks = min(len(parts), max(context.defaultParallelism * 2, len(parts) // TASK_PARTS))
        places = [(part.file, part.row_group, part.bytes) for part in parts]
        units = spark.createDataFrame(places, "file string, row_group int, bytes bigint").repartition(tasks)
        found = units.mapInArrow(_Score(broadcast, store, folder), SCORED).collect()
    finally:
        broadcast.destroy()
    shares = [
        Share(tuple(from_bytes(bytes(data)) for data in row["chosen"]), row["rows"], row["agreed"], row["bytes"])
        for row in found
    ]
    return merged(shares, sent.quotas)


def merged(shares: Sequence[Share], quotas: Ints) -> Share:
    """The choice from all parts, given the choices of some each."""
    return reduce(lambda one, other: one.and_more(other, quotas), shares)


class _Score:
    """Scores the parts of one task, and returns one share."""

    def __init__(self, sent: Any, store: str, folder: str):
        self.sent, self.store, self.folder = sent, store, folder

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sent: Sent = self.sent.value
        learners = [learner_from_bytes(data) for data in sent.learners]
        store = open_store(self.store)
        scratch = Scratch(store, self.folder)
        share: Share | None = None
        for unit in (unit for batch in batches for unit in batch.to_pylist()):
            rows = _in_ranges(read_part(store, scratch, unit["file"], unit["row_group"]), sent.ranges)
            more = scored(rows, learners, sent, size=unit["bytes"])
            share = more if share is None else share.and_more(more, sent.quotas)
        if share is not None:
            told = {"rows": share.rows, "agreed": share.agreed, "bytes": share.bytes}
            chosen = [to_bytes(table) for table in share.chosen]
            yield pa.RecordBatch.from_pylist([{**told, "chosen": chosen}], schema=SCORED_SCHEMA)


def _in_ranges(rows: pa.Table, ranges: Sequence[tuple[int, int]]) -> pa.Table:
    hashes = rows["pool_hash"].to_numpy()
    is_here = np.zeros(len(rows), bool)
    for low, high in ranges:
        is_here |= (hashes >= low) & (hashes <= high)
    return rows.filter(pa.array(is_here)).drop_columns(["pool_hash"])


def scored(rows: pa.Table, learners: Sequence[Learner], sent: Sent, *, size: int = 0) -> Share:
    """What a part tells: on how many blocks the views agree, and what each would choose, with its features."""
    ids = np.array(rows["block_id"].to_pylist(), dtype=str)
    if not len(rows):
        nothing = Votes(ids, np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
        return Share(tuple(_with_votes(rows, nothing) for _ in learners), 0, 0, size)
    votes = [
        Votes.of(ids, learner.predict_log_proba(view.numbers, view.words))
        for learner, view in zip(learners, views_of(rows, sent.vocabulary), strict=True)
    ]
    is_same = np.logical_and.reduce([vote.label == votes[0].label for vote in votes])
    eligible, rows_left = (agreed(votes), rows.filter(pa.array(is_same))) if sent.is_agreed else (votes, rows)
    chosen = tuple(_best(_with_votes(rows_left, vote), sent.quotas) for vote in eligible)
    return Share(chosen, len(rows), int(is_same.sum()), size)


def _with_votes(rows: pa.Table, votes: Votes) -> pa.Table:
    for name, kind in VOTE_COLUMNS.items():
        rows = rows.append_column(name, pa.array(getattr(votes, name), kind))
    return rows


def _votes(rows: pa.Table) -> Votes:
    ids = np.array(rows["block_id"].to_pylist(), dtype=str)
    label, confidence, margin = (rows[name].to_numpy() for name in VOTE_COLUMNS)
    return Votes(ids, label, confidence, margin)


def _best(rows: pa.Table, quotas: Ints) -> pa.Table:
    """The rows that a view chooses from these."""
    wanted = choose(_votes(rows), quotas).ids.tolist()
    places = {name: place for place, name in enumerate(rows["block_id"].to_pylist())}
    return rows.take(pa.array([places[name] for name in wanted], pa.int64()))
