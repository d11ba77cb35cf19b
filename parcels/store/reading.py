"""Reading of tables through pyarrow, with errors that name the file."""

import functools
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from parcels.query.schema import PARTITION_TYPES, Table
from parcels.store.errors import DamagedFile
from parcels.store.files import METADATA
from parcels.store.location import Location
from parcels.store.store import TableFile


def dataset(location: Location, table: Table, files: Sequence[TableFile]) -> Any:
    """Return a dataset of files; columns that an older file lacks are null."""
    schema = table.arrow_schema(with_partitions=True)
    parquet = ds.ParquetFileFormat()
    if not files:
        return ds.dataset(schema.empty_table())
    partitions = [functools.reduce(operator.and_, _equalities(file)) for file in files]
    paths = [file.path for file in files]
    return ds.FileSystemDataset.from_paths(
        paths, schema=schema, format=parquet, filesystem=location.filesystem, partitions=partitions
    )


def _equalities(file: TableFile) -> Iterator[Any]:
    for name, value in file.partition.items():
        yield ds.field(name) == pa.scalar(value, PARTITION_TYPES[name])


def batches(
    location: Location, table: Table, files: Sequence[TableFile], columns: Sequence[str] | None, where: Any
) -> Iterator[pa.RecordBatch]:
    """Yield the batches of files, with a small read-ahead."""
    wanted = None if columns is None else list(columns)
    scanner = dataset(location, table, files).scanner(
        columns=wanted, filter=where, batch_readahead=2, fragment_readahead=2
    )
    try:
        yield from scanner.to_batches()
    except (pa.ArrowInvalid, OSError) as error:
        raise DamagedFile(_blame(location, table, files, error)) from error


def _blame(location: Location, table: Table, files: Sequence[TableFile], error: Exception) -> str:
    """Return a message that names the damaged file: the error of a scan does not always name it."""
    for file in files:
        try:
            with location.filesystem.open_input_file(file.path) as stream:
                parquet = pq.ParquetFile(stream, page_checksum_verification=True)
                stated = (parquet.metadata.metadata or {}).get(f"{METADATA}table".encode(), b"?").decode()
                for batch in parquet.iter_batches():
                    del batch
        except (pa.ArrowInvalid, OSError) as fault:
            return f"{file.path} is damaged or incomplete ({fault}). Restore it, or move it away."
        if stated != table.name:
            return f"{file.path} holds table {stated}, not {table.name}. Move it away."
    return f"Cannot read table {table.name} in {location.uri}: {error}"
