"""Parquet files: made where no reader looks, committed whole."""

import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa

import parcels
from parcels.query.schema import Table
from parcels.store.place import Place, sync
from parcels.store.staging import Staging, sweep

COMPRESSION, LEVEL = "zstd", 3
METADATA = "parcels."  # before each of the names: table, schema_version, version, run_id
COPY_BYTES = 8 << 20


def file_name(table: Table, token: str, number: int) -> str:
    """Name of a committed file: table, version of its columns, who wrote it, the how manieth."""
    return f"{table.name}-v{table.version}-{token}-{number:04d}.parquet"


def version_in(table: Table, name: str) -> int | None:
    """The version of the columns that a file's name states; None for a file that no writer of this table made.

    >>> from parcels.tables import TABLES
    >>> version_in(TABLES["pages"], "pages-v1-0123abcd-0000.parquet"), version_in(TABLES["pages"], "copy.parquet")
    (1, None)
    """
    match = re.fullmatch(rf"{table.name}-v(\d+)-[A-Za-z0-9_.-]+-\d+\.parquet", name)
    return int(match[1]) if match else None


class FileMaker:
    """Makes the files of one writer, each with a name that no other writer uses."""

    def __init__(self, place: Place, table: Table, token: str, run_id: str):
        self._place, self._table, self._token = place, table, token
        self._numbers: Counter[str] = Counter()
        stated = {
            "table": table.name, "schema_version": str(table.version), "version": parcels.__version__, "run_id": run_id,
        }  # fmt: skip
        self._schema = table.arrow_schema().with_metadata({METADATA + name: text for name, text in stated.items()})
        self._staging: Staging | None = None
        if place.can_rename:
            sweep(place)
            self._staging = Staging(place)

    def new(self, where: str) -> "StagedFile":
        """A file for one partition, not yet in the store."""
        name = file_name(self._table, self._token, self._numbers[where])
        self._numbers[where] += 1
        staged = self._staging.path(f"{sum(self._numbers.values())}.parquet") if self._staging else None
        return StagedFile(self._place, self._table, self._schema, staged, f"{where}/{name}")

    def commit(self, file: "StagedFile") -> str:
        """Put a finished file into the store; returns its path below the table's folder."""
        final = self._place.path(self._table.name, file.target)
        if file.staged is None:
            self._upload(file, final)
        elif self._place.is_local:
            _move_in(Path(file.staged), Path(final))
        elif not self._place.is_file(f"{self._table.name}/{file.target}"):  # HDFS does not rename onto a file, and a
            self._place.filesystem.create_dir(final.rpartition("/")[0])  # commit that was done before need not be done
            self._place.filesystem.move(file.staged, final)
        return file.target

    def _upload(self, file: "StagedFile", final: str) -> None:
        """Object stores: the object appears when it is closed, so nothing is begun before every byte is at hand."""
        file.sink.seek(0)
        with self._place.filesystem.open_output_stream(final) as stream:
            shutil.copyfileobj(file.sink, stream, COPY_BYTES)
        file.sink.close()

    def close(self) -> None:
        """Discard what was not committed."""
        if self._staging:
            self._staging.remove()
            self._staging = None


class StagedFile:
    """One Parquet file that is being written."""

    def __init__(self, place: Place, table: Table, schema: pa.Schema, staged: str | None, target: str):
        import pyarrow.parquet as pq

        self.staged, self.target = staged, target
        self._is_local = place.is_local
        self.sink: Any
        if staged is None:
            self.sink = tempfile.TemporaryFile()  # noqa: SIM115 - it has no name and goes with the last reference
        elif place.is_local:
            self.sink = pa.OSFile(staged, "wb")
        else:
            self.sink = place.filesystem.open_output_stream(staged)
        plain = [column.name for column in table.plain_columns()]
        self._writer = pq.ParquetWriter(
            self.sink, schema, compression=COMPRESSION, compression_level=LEVEL, use_dictionary=plain,
            write_statistics=plain, write_page_checksum=True,
        )  # fmt: skip

    def write(self, rows: pa.Table) -> None:
        """One row group."""
        self._writer.write_table(rows, row_group_size=max(rows.num_rows, 1))

    def finish(self) -> None:
        """End the file and make its bytes durable."""
        self._writer.close()
        if self.staged is None:
            self.sink.flush()
            return
        self.sink.close()
        if self._is_local:
            sync(Path(self.staged))


def _move_in(staged: Path, final: Path) -> None:
    """One atomic rename, durable with every folder that had to be made."""
    missing = [folder for folder in final.parents if not folder.exists()]
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.replace(final)
    for folder in (final.parent, *(folder.parent for folder in missing)):
        sync(folder)
