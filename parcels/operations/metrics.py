"""Metrics of a store in Prometheus' text format: runs, tables, rejects.

Jobs end before they can be scraped, so their numbers come from `runs`, to which every step writes. Live numbers come
from the crawler (`parcels crawl --metrics PORT`) and from Spark (spark.ui.prometheus.enabled).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from parcels.store import Store
from parcels.tables import TABLES

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Family(NamedTuple):
    """A metric with its samples, each with labels and a value."""

    name: str
    kind: str  # counter or gauge
    help: str
    samples: list[tuple[dict[str, str], float]]


def families(store: Store) -> Iterator[Family]:
    """Yield all metrics of a store."""
    yield from _of_runs(store.read("runs").to_pylist())
    yield from _of_tables(store)
    rejects: Counter[tuple[str, str, str]] = Counter()
    for batch in store.batches("rejects", columns=["crawl", "step", "reason"]):
        rejects.update(zip(*(column.to_pylist() for column in batch.columns), strict=True))
    samples = _labelled(rejects, ("crawl", "step", "reason"))
    yield Family("parcels_rejects", "gauge", "Rejected records by step and reason.", samples)


def _of_runs(rows: list[dict[str, Any]]) -> Iterator[Family]:
    runs: Counter[tuple[str, ...]] = Counter()
    counts: Counter[tuple[str, ...]] = Counter()
    seconds: defaultdict[tuple[str, ...], float] = defaultdict(float)
    last: dict[tuple[str, ...], float] = {}
    for row in rows:
        key = (row["crawl"], row["step"])
        runs[*key, row["outcome"]] += 1
        seconds[key] += (row["ended_at"] - row["started_at"]).total_seconds()
        last[*key, row["outcome"]] = max(last.get((*key, row["outcome"]), 0.0), row["ended_at"].timestamp())
        for one in row["counts"]:
            counts[*key, one["name"]] += one["count"]
    by, of = ("crawl", "step"), ("crawl", "step", "outcome")
    yield Family("parcels_runs_total", "counter", "Runs of each step.", _labelled(runs, of))
    yield Family("parcels_run_seconds_total", "counter", "Time of all runs of a step.", _labelled(seconds, by))
    yield Family("parcels_run_last_timestamp_seconds", "gauge", "End of the last run.", _labelled(last, of))
    what = _labelled(counts, ("crawl", "step", "what"))
    yield Family("parcels_run_counts_total", "counter", "Records that runs read, wrote and rejected.", what)


def _of_tables(store: Store) -> Iterator[Family]:
    import pyarrow.parquet as pq

    rows: Counter[tuple[str, ...]] = Counter()
    sizes: Counter[tuple[str, ...]] = Counter()
    files: Counter[tuple[str, ...]] = Counter()
    for table in TABLES:
        for file in store.files(table):
            with store.location.filesystem.open_input_file(file.path) as stream:
                rows[table,] += pq.ParquetFile(stream).metadata.num_rows
                sizes[table,] += stream.size()
            files[table,] += 1
    yield Family("parcels_table_rows", "gauge", "Rows of each table.", _labelled(rows, ("table",)))
    yield Family("parcels_table_bytes", "gauge", "Bytes of each table's files.", _labelled(sizes, ("table",)))
    yield Family("parcels_table_files", "gauge", "Files of each table.", _labelled(files, ("table",)))


def _labelled(counts: Any, names: tuple[str, ...]) -> list[tuple[dict[str, str], float]]:
    return [(dict(zip(names, key, strict=True)), float(value)) for key, value in sorted(counts.items())]


def text(metrics: Iterable[Family]) -> str:
    r"""Return metrics in the text format of Prometheus.

    >>> print(text([Family("a_total", "counter", "How many.", [({"x": 'say "hi"'}, 2.0)])]), end="")
    # HELP a_total How many.
    # TYPE a_total counter
    a_total{x="say \"hi\""} 2
    """
    lines = []
    for family in metrics:
        lines += [f"# HELP {family.name} {family.help}", f"# TYPE {family.name} {family.kind}"]
        for labels, value in family.samples:
            inside = ",".join(f'{name}="{_escaped(label)}"' for name, label in labels.items())
            lines.append(f"{family.name}{{{inside}}} {value:.15g}")
    return "\n".join(lines) + "\n"


def _escaped(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
