"""The checkpoint of a round: its record and the features of the blocks that it labelled, in one file."""

import datetime as dt
import json
from typing import Any

import pyarrow as pa

from parcels.learn.history import Round

RECORD, STARTED = b"round", b"started_at"


def checkpoint(done: Round, features: pa.Table, started_at: dt.datetime) -> pa.Table:
    """Return the file of a round; `features` are those of its examples, in their order."""
    labels = pa.array([str(example.label) for example in done.examples], pa.string())
    record = {RECORD: json.dumps(done.plain()).encode(), STARTED: started_at.isoformat().encode()}
    return features.append_column("label", labels).replace_schema_metadata(record)


def restored(saved: pa.Table) -> tuple[Round, dt.datetime]:
    """Return the round of a checkpoint and when it started."""
    record = saved.schema.metadata
    return Round.from_plain(json.loads(record[RECORD])), dt.datetime.fromisoformat(record[STARTED].decode())


def round_row(done: Round, *, model: str, started_at: dt.datetime, run_id: str) -> dict[str, Any]:
    """Return the row of a round in the table `rounds`."""
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
