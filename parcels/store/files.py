"""Parquet files of a table: written in staging, committed in one step."""

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa

import parcels
from parcels.query.schema import Table
from parcels.store.location import Location, sync
from parcels.store.staging import Staging, sweep

COMPRESSION, LEVEL = "zstd", 3
METADATA = "parcels."  # before each of the names: table, schema_version, version, run_id
COPY_BYTES = 8 << 20


def file_name(table: Table, token: str, number: int) -> str:
    """Return the name of a committed file: table, version of its columns, token of the writer, number."""
    return f"{table.name}-v{table.version}-{token}-{number:04d}.parquet"


def version_in(table: Table, name: str) -> int | None:
    """Return the version of the columns in a file's name; None for a file that no writer of this table made.

    >>> from parcels.tables import TABLES
    >>> version_in(TABLES["pages"], "pages-v1-0123abcd-0000.parquet"), version_in(TABLES["pages"], "copy.parquet")
    (1, None)
    """
    match = re.fullmatch(rf"{table.name}-v(\d+)-[A-Za-z0-9_.-]+-\d+\.parquet", name)
    return int(match[1]) if match else None


class FileMaker:
    """Creates the files of one writer, each with a unique name."""

    def __init__(self, location: Location, table: Table, token: str, run_id: str):
        self._location, self._table, self._token = location, table, token
        self._numbers: Counter[str] = Counter()
        stated = {
            "table": table.name, "schema_version": str(table.version), "version": parcels.__version__, "run_id": run_id,
        }  # fmt: skip
        self._schema = table.arrow_schema().with_metadata({METADATA + name: text for name, text in stated.items()})
        self._staging: Staging | None = None
        if location.can_rename:
            sweep(location)
            self._staging = Staging(location)

    def new(self, where: str) -> "StagedFile":
        """Return a new file for one partition, not yet in the store."""
        name = file_name(self._table, self._token, self._numbers[where])
        self._numbers[where] += 1
        staged = self._staging.path(f"{sum(self._numbers.values())}.parquet") if self._staging else None
        return StagedFile(self._location, self._table, self._schema, staged, f"{where}/{name}")

    def commit(self, file: "StagedFile") -> str:
        """Commit a finished file to the store; return its path below the table's folder."""
        final = self._location.path(self._table.name, file.target)
        if file.staged is None:
            self._upload(file, final)
        elif self._location.is_local:
            _move_in(Path(file.staged), Path(final))
        elif not self._location.is_file(f"{self._table.name}/{file.target}"):  # HDFS does not rename onto a file, and a
            self._location.filesystem.create_dir(
                final.rpartition("/")[0]
            )  # commit that was done before need not be done
            self._location.filesystem.move(file.staged, final)
        return file.target

    def _upload(self, file: "StagedFile", final: str) -> None:
        """Upload a file to an object store; the object appears when it is closed, so all bytes are ready first."""
        file.sink.seek(0)
        with self._location.filesystem.open_output_stream(final) as stream:
            shutil.copyfileobj(file.sink, stream, COPY_BYTES)
        file.sink.close()

    def close(self) -> None:
        """Discard what was not committed."""
        if self._staging:
            self._staging.remove()
            self._staging = None


class StagedFile:
    """One Parquet file that is being written."""

    def __init__(self, location: Location, table: Table, schema: pa.Schema, staged: str | None, target: str):
        import pyarrow.parquet as pq

        self.staged, self.target = staged, target
        self._is_local = location.is_local
        self.sink: Any
        if staged is None:
            self.sink = tempfile.TemporaryFile()  # noqa: SIM115 - it has no name and goes with the last reference
        elif location.is_local:
            self.sink = pa.OSFile(staged, "wb")
        else:
            self.sink = location.filesystem.open_output_stream(staged)
        plain = [column.name for column in table.plain_columns()]
        self._writer = pq.ParquetWriter(
            self.sink, schema, compression=COMPRESSION, compression_level=LEVEL, use_dictionary=plain,
            write_statistics=plain, write_page_checksum=True,
        )  # fmt: skip

    def write(self, rows: pa.Table) -> None:
        """Write one row group."""
        self._writer.write_table(rows, row_group_size=max(rows.num_rows, 1))

    def finish(self) -> None:
        """Close the file and make its bytes durable."""
        self._writer.close()
        if self.staged is None:
            self.sink.flush()
            return
        self.sink.close()
        if self._is_local:
            sync(Path(self.staged))


def _move_in(staged: Path, final: Path) -> None:
    """Move a file to its final path by one atomic rename, durable with all new folders."""
    missing = [folder for folder in final.parents if not folder.exists()]
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.replace(final)
    for folder in (final.parent, *(folder.parent for folder in missing)):
        sync(folder)
