"""What is kept of a round: its record and the features of what it labelled, in one file."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from parcels.learn.cotrain import Labelled
from parcels.learn.history import Round

RECORD, STARTED = b"round", b"started_at"


@dataclass(frozen=True)
class Progressed:
    """The labelled blocks so far: people's first, then each round's in the order of their ids."""

    labelled: Labelled
    by_people: int

    def with_rows(self, more: Labelled) -> "Progressed":
        """These, and what a round added."""
        views = tuple(one.and_below(other) for one, other in zip(self.labelled.views, more.views, strict=True))
        rows = Labelled(
            np.concatenate([self.labelled.ids, more.ids]), np.concatenate([self.labelled.y, more.y]), views
        )  # fmt: skip
        return Progressed(rows, self.by_people)

    def saved(self, chosen: pa.Table, done: Round, started_at: dt.datetime) -> pa.Table:
        """The rows of what a round labelled, in the order of its examples, with its record beside them."""
        places = {name: place for place, name in enumerate(chosen["block_id"].to_pylist())}
        order = [places[str(example.block_id)] for example in done.examples]
        labels = pa.array([str(example.label) for example in done.examples], pa.string())
        rows = chosen.take(pa.array(order, pa.int64())).append_column("label", labels)
        about = {RECORD: json.dumps(done.plain()).encode(), STARTED: started_at.isoformat().encode()}
        return rows.replace_schema_metadata(about)


def restored(saved: pa.Table) -> tuple[Round, dt.datetime]:
    """The record of a round that was kept, and when it began."""
    about = saved.schema.metadata
    return Round.from_plain(json.loads(about[RECORD])), dt.datetime.fromisoformat(about[STARTED].decode())


def stop_reason(done: Sequence[Round], *, rounds: int, patience: int | None, has_more: bool) -> str | None:
    """Why there is no further round, as parcels.learn.cotrain decides it; None where there is one."""
    if len(done) >= rounds:
        return "rounds"
    if not has_more:
        return "exhausted"
    errors = [np.inf if one.error is None else one.error for one in done]
    best = int(np.argmin(errors)) + 1 if errors else 0
    return "held-out" if patience is not None and len(done) - best > patience else None


def round_row(done: Round, *, model: str, started_at: dt.datetime, run_id: str) -> dict[str, Any]:
    """A row of `rounds`."""
    return {
        "model": model,
        "round": done.number,
        "labelled_count": done.labelled_count,
        "pool_count": done.pool_count,
        "added_count": len(done.examples),
        "agreement": done.agreement,
        "error": done.error,
        "added": [
            {"view": one.view, "label": str(one.label), "count": one.count, "least_confidence": one.least_confidence}
            for one in done.added
        ],
        "examples": [
            {"block_id": str(one.block_id), "view": one.view, "label": str(one.label), "confidence": one.confidence}
            for one in done.examples
        ],
        "stopped_by": done.stopped_by,
        "started_at": started_at,
        "ended_at": dt.datetime.now(dt.UTC),
        "run_id": run_id,
    }  # fmt: skip
