"""A file of a table written anew under its own name, in one step: readers see the old rows or the new ones."""

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
    """Refuse a filesystem on which a file cannot be replaced in one step."""
    if store.place.can_rename and not store.place.is_local:
        raise ConfigError(
            f"{store.place.given}: files of {store.place.filesystem.type_name} cannot be replaced in one step. "
            "Copy the store to a folder or an object store, change it there, and copy it back."
        )


def rewrite(store: Store, table: str, file: TableFile, change: Change) -> tuple[int, int]:
    """Put what `change` makes of each row group in place of a file; one without rows goes. Returns rows before, after.

    The columns and the version of the file stay as they are.
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
                fresh = StagedFile(store.place, store.declaration(table), schema, path, file.path)
                for group in range(parquet.num_row_groups):
                    rows = parquet.read_row_group(group)
                    kept = change(rows)
                    before, after = before + rows.num_rows, after + kept.num_rows
                    if kept.num_rows:
                        fresh.write(kept)
                fresh.finish()
                if after == 0:
                    store.place.filesystem.delete_file(file.path)
                elif path is None:
                    _upload(store, fresh.sink, file.path)
                else:
                    Path(path).replace(file.path)
        except OSError as error:
            raise write_error(store.place, f"table {table}", error) from error
    return before, after


def _upload(store: Store, source: Any, path: str) -> None:
    """Object stores: the new object appears in place of the old one when it is closed."""
    source.seek(0)
    with store.place.filesystem.open_output_stream(path) as stream:
        while data := source.read(8 << 20):
            stream.write(data)


@contextmanager
def _staged(store: Store) -> Iterator[Staging | None]:
    if not store.place.is_local:
        yield None
        return
    sweep(store.place)
    staging = Staging(store.place)
    try:
        yield staging
    finally:
        staging.remove()


@contextmanager
def _opened(store: Store, path: str) -> Iterator[Any]:
    try:
        with store.place.filesystem.open_input_file(path) as stream:
            yield pq.ParquetFile(stream)
    except pa.ArrowInvalid as error:
        raise DamagedFile(f"{path} is damaged or half copied ({error}). Restore it, or move it away.") from error


def columns_of(store: Store, file: TableFile, names: tuple[str, ...]) -> pa.Table:
    """Some columns of a file, those that it has."""
    with _opened(store, file.path) as parquet:
        return parquet.read(columns=[name for name in names if name in parquet.schema_arrow.names])
