"""A pool on Spark: the executors score a round's share and select from it, the driver merges their selections."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa

from jobs.cotraining.pool import PoolManifest, read_row_group
from jobs.engine.rows import NEEDED, views_of
from jobs.engine.scratch import Scratch, from_bytes, to_bytes
from jobs.engine.spark_tables import absolute_uri
from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labelled, Labels
from parcels.learn.pool import Draw, FreshShare, hash_ranges, in_ranges
from parcels.learn.select import Selection, Selector, Votes
from parcels.learn.stored import learner_from_bytes
from parcels.learn.words import Ints
from parcels.store import Store, open_store

SELECTED = "rows bigint, agreed bigint, choices array<binary>, features binary"
VOTE_COLUMNS = {"label": pa.int64(), "confidence": pa.float64(), "margin": pa.float64()}
TASK_GROUPS = 64  # row groups of one task
Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class RoundBroadcast:
    """The data of a round that every executor needs. Learners travel as bytes."""

    learners: tuple[bytes, ...]
    vocabulary: Mapping[str, int]
    quota: Ints
    ranges: Ranges
    is_agreed: bool


@dataclass(frozen=True)
class SelectedRows:
    """A selection from some rows of the pool, and the features of the selected blocks."""

    selection: Selection
    features: pa.Table

    def merged(self, other: "SelectedRows", quota: Ints) -> "SelectedRows":
        """Return the selection from the rows of both."""
        selection = self.selection.merged(other.selection, quota)
        features = rows_with(pa.concat_tables([self.features, other.features]), selection.ids.tolist())
        return SelectedRows(selection, features)


class SparkPool:
    """A pool in files of the store, scored by the executors of a Spark session."""

    def __init__(
        self,
        spark: Any,
        store: Store,
        scratch: Scratch,
        manifest: PoolManifest,
        vocabulary: Mapping[str, int],
        selected: Sequence[pa.Table],  # features of rows that earlier rounds selected; the first may be empty
    ):
        self.manifest, self.bytes_read = manifest, 0  # of the last round
        self._spark, self._store, self._scratch, self._vocabulary = spark, store, scratch, vocabulary
        self._selected = [rows.select(list(NEEDED)).replace_schema_metadata(None) for rows in selected]

    def fingerprint(self, labelled: Labelled) -> str:
        """Return a hash of the labelled rows and the pool."""
        names = [*labelled.ids.tolist(), *labelled.y.tolist(), *map(str, self.manifest.row_groups)]
        return hashlib.sha256("\n".join(names).encode()).hexdigest()

    def draw(self, draw: Draw, number: int, added: Sequence[str | int], *, u: int, seed: int) -> Ranges | None:
        """Return the hashes that round `number` reads, or None if the pool is exhausted."""
        if draw != FreshShare():
            raise ConfigError(f"a pool on Spark has a new share in each round, got {draw}: use FreshShare()")
        return hash_ranges(number, self.manifest.rows, u=u, seed=seed) or None

    def select(self, share: Ranges, selector: Selector) -> Selection:
        """Broadcast the learners, score and select on the executors, release the broadcast, merge the selections."""
        groups = self.manifest.within(share)
        self.bytes_read = sum(group.bytes for group in groups)
        if not groups:
            return selector.select(np.zeros(0, str), ())
        learners = tuple(learner.to_bytes() for learner in selector.learners)
        context = self._spark.sparkContext
        broadcast = context.broadcast(
            RoundBroadcast(learners, self._vocabulary, selector.quota, share, selector.is_agreed)
        )
        try:
            tasks = min(len(groups), max(context.defaultParallelism * 2, len(groups) // TASK_GROUPS))
            places = [(group.file, group.row_group) for group in groups]
            units = self._spark.createDataFrame(places, "file string, row_group bigint").repartition(tasks)
            task = _SelectRows(broadcast, absolute_uri(self._store), self._scratch.folder)
            returned = units.mapInArrow(task, SELECTED).collect()
        finally:
            broadcast.destroy()
        selected = merged([_unpacked(row) for row in returned], selector.quota)
        self._selected.append(selected.features)
        return selected.selection

    def rows(self, ids: Sequence[str]) -> pa.Table:
        """Return selected rows, as they are in `features`."""
        return rows_with(pa.concat_tables([rows for rows in self._selected if len(rows)] or self._selected[:1]), ids)

    def features(self, ids: Labels) -> tuple[Features, ...]:
        """Return the features of selected rows, by view."""
        return views_of(self.rows(ids.tolist()), self._vocabulary)


class _SelectRows:
    """Select from the row groups of one task."""

    def __init__(self, broadcast: Any, store: str, folder: str):
        self.broadcast, self.store, self.folder = broadcast, store, folder

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sent: RoundBroadcast = self.broadcast.value
        selector = Selector([learner_from_bytes(data) for data in sent.learners], sent.quota, sent.is_agreed)
        store = open_store(self.store)
        scratch = Scratch(store, self.folder)
        selected: SelectedRows | None = None
        for group in (group for batch in batches for group in batch.to_pylist()):
            rows = read_row_group(store, scratch, group["file"], group["row_group"])
            rows = rows.filter(pa.array(in_ranges(rows["pool_hash"].to_numpy(), sent.ranges)))
            more = select_rows(rows.drop_columns(["pool_hash"]), selector, sent.vocabulary)
            selected = more if selected is None else selected.merged(more, sent.quota)
        if selected is not None:
            yield pa.RecordBatch.from_pylist([_packed(selected)])


def select_rows(rows: pa.Table, selector: Selector, vocabulary: Mapping[str, int]) -> SelectedRows:
    """Select from rows of `features`."""
    ids = np.array(rows["block_id"].to_pylist(), dtype=str)
    selection = selector.select(ids, views_of(rows, vocabulary))
    return SelectedRows(selection, rows_with(rows, selection.ids.tolist()))


def merged(parts: Sequence[SelectedRows], quota: Ints) -> SelectedRows:
    """Return the selection from all rows, given the selections from parts of them."""
    return reduce(lambda one, other: one.merged(other, quota), parts)


def rows_with(rows: pa.Table, ids: Sequence[str]) -> pa.Table:
    """Return the rows of some blocks, in the order of their ids."""
    places = {name: place for place, name in enumerate(rows["block_id"].to_pylist())}
    return rows.take(pa.array([places[name] for name in ids], pa.int64()))


def _packed(selected: SelectedRows) -> dict[str, Any]:
    selection = selected.selection
    return {
        "rows": selection.row_count,
        "agreed": selection.agreed_count,
        "choices": [to_bytes(_table(votes)) for votes in selection.choices],
        "features": to_bytes(selected.features),
    }


def _unpacked(row: Any) -> SelectedRows:
    choices = tuple(_votes(from_bytes(bytes(data))) for data in row["choices"])
    selection = Selection(choices, row["rows"], row["agreed"])
    return SelectedRows(selection, from_bytes(bytes(row["features"])))


def _table(votes: Votes) -> pa.Table:
    columns = {name: pa.array(getattr(votes, name), kind) for name, kind in VOTE_COLUMNS.items()}
    return pa.table({"block_id": pa.array(votes.ids.tolist(), pa.string()), **columns})


def _votes(rows: pa.Table) -> Votes:
    label, confidence, margin = (rows[name].to_numpy() for name in VOTE_COLUMNS)
    return Votes(np.array(rows["block_id"].to_pylist(), dtype=str), label, confidence, margin)
