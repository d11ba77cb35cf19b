"""Compaction: merge the small files of a partition.

A journal states the files before they are replaced. Readers between the two steps (the new file is there, the old ones
are not yet removed) see rows twice, so compact a table while nobody reads it. After a kill, the next compaction
completes the interrupted one.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.engine.replace import delete_files
from jobs.engine.scratch import Scratch
from parcels.store import Store, TableFile
from parcels.urls import new_run_id

SMALL_BYTES = 32 << 20  # smaller files are merged
LEAST_FILES = 2
JOURNAL = "_compactions"


def compact(store: Store, table: str, *, small_bytes: int = SMALL_BYTES) -> tuple[int, int]:
    """Merge the small files of each partition of a table, and return the number of files before and after."""
    journal = Scratch(store, JOURNAL)
    _recover(store, journal, table)
    groups: dict[tuple[tuple[str, Any], ...], list[TableFile]] = defaultdict(list)
    files = store.files(table)
    for file in files:
        if store.location.filesystem.get_file_info(file.path).size < small_bytes:
            groups[tuple(sorted(file.partition.items()))].append(file)
    removed = made = 0
    for partition, small in sorted(groups.items()):
        if len(small) >= LEAST_FILES:
            made += _merge(store, journal, table, dict(partition), sorted(file.path for file in small))
            removed += len(small)
    return len(files), len(files) - removed + made


def _merge(store: Store, journal: Scratch, table: str, partition: dict[str, Any], paths: list[str]) -> int:
    """Merge the files of a partition. The names of the new files have an id that is stated in the journal."""
    commit = new_run_id()
    entry = f"{table}.json"
    journal.put_json(entry, {"commit": commit, "old": paths, "is_written": False})
    with store.writer(table, **partition, commit_id=commit) as writer:
        for rows in _rows(store, table, paths):
            writer.add(rows)
    journal.put_json(entry, {"commit": commit, "old": paths, "is_written": True})
    delete_files(store, paths)
    store.location.filesystem.delete_file(journal.path(entry))
    return len(writer.committed)


def _rows(store: Store, table: str, paths: list[str]) -> Iterator[pa.Table]:
    schema = store.declaration(table).arrow_schema()
    for path in paths:
        with store.location.filesystem.open_input_file(path) as stream:
            file = pq.ParquetFile(stream)
            for group in range(file.num_row_groups):
                rows = file.read_row_group(group)
                for field in schema:  # columns that an older file lacks
                    if field.name not in rows.column_names:
                        rows = rows.append_column(field, pa.nulls(len(rows), field.type))
                yield rows.select(schema.names)


def _recover(store: Store, journal: Scratch, table: str) -> None:
    """Complete an interrupted compaction: remove the old files if the new ones are complete, else the new files."""
    entry = journal.get_json(f"{table}.json")
    if entry is None:
        return
    files = {file.path for file in store.files(table)}
    new = {path for path in files if f"-{entry['commit']}-" in path}
    delete_files(store, files & set(entry["old"]) if entry["is_written"] else new)
    store.location.filesystem.delete_file(journal.path(f"{table}.json"))
