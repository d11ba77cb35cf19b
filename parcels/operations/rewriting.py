"""Replacement of a table's file under its own name in one step: readers see the old rows or the new ones."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from parcels.errors import ConfigError
from parcels.store import DamagedFile, Store, TableFile
from parcels.store.files import StagedFile
from parcels.store.staging import Staging, sweep
from parcels.store.writer import write_error

Change = Callable[[pa.Table], pa.Table]


def check_can_rewrite(store: Store) -> None:
    """Raise ConfigError for a filesystem on which a file cannot be replaced in one step."""
    if store.location.can_rename and not store.location.is_local:
        raise ConfigError(
            f"{store.location.uri}: files of {store.location.filesystem.type_name} cannot be replaced in one step. "
            "Copy the store to a folder or an object store, change it there, and copy it back."
        )


def rewrite(store: Store, table: str, file: TableFile, change: Change) -> tuple[int, int]:
    """Replace each row group of a file by the result of `change`; return the number of rows before and after.

    The columns and the version of the file stay the same. A file without rows is deleted.
    """
    before = after = 0
    with _opened(store, file.path) as parquet:
        metadata = {
            key: value for key, value in (parquet.schema_arrow.metadata or {}).items() if key != b"ARROW:schema"
        }
        schema = parquet.schema_arrow.with_metadata(metadata)
        try:
            with _staged(store) as staging:
                path = staging.path("rewritten.parquet") if staging else None
                fresh = StagedFile(store.location, store.declaration(table), schema, path, file.path)
                for group in range(parquet.num_row_groups):
                    rows = parquet.read_row_group(group)
                    kept = change(rows)
                    before, after = before + rows.num_rows, after + kept.num_rows
                    if kept.num_rows:
                        fresh.write(kept)
                fresh.finish()
                if after == 0:
                    store.location.filesystem.delete_file(file.path)
                elif path is None:
                    _upload(store, fresh.sink, file.path)
                else:
                    Path(path).replace(file.path)
        except OSError as error:
            raise write_error(store.location, f"table {table}", error) from error
    return before, after


def _upload(store: Store, source: Any, path: str) -> None:
    """Upload the new object, which replaces the old one when it is closed."""
    source.seek(0)
    with store.location.filesystem.open_output_stream(path) as stream:
        while data := source.read(8 << 20):
            stream.write(data)


@contextmanager
def _staged(store: Store) -> Iterator[Staging | None]:
    if not store.location.is_local:
        yield None
        return
    sweep(store.location)
    staging = Staging(store.location)
    try:
        yield staging
    finally:
        staging.remove()


@contextmanager
def _opened(store: Store, path: str) -> Iterator[Any]:
    try:
        with store.location.filesystem.open_input_file(path) as stream:
            yield pq.ParquetFile(stream)
    except pa.ArrowInvalid as error:
        raise DamagedFile(f"{path} is damaged or incomplete ({error}). Restore it, or move it away.") from error


def columns_of(store: Store, file: TableFile, names: tuple[str, ...]) -> pa.Table:
    """Return the given columns of a file, as far as it has them."""
    with _opened(store, file.path) as parquet:
        return parquet.read(columns=[name for name in names if name in parquet.schema_arrow.names])
