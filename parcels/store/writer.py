"""Writer of a table: rows are collected by partition, files rotate by size, each is committed in one atomic step."""

import contextlib
import errno
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

import pyarrow as pa

from parcels.errors import ConfigError, ParcelsError
from parcels.query.schema import Table
from parcels.store.conform import Rows, conform
from parcels.store.errors import DiskFull, WriteFailed
from parcels.store.files import FileMaker, StagedFile
from parcels.store.location import Location
from parcels.store.partitions import folder

# Sizes are those of Arrow's memory, so that the same rows always give the same files.
ROW_GROUP_BYTES = 32 << 20  # writers and readers hold one in memory
ROW_GROUP_ROWS = 122_880  # DuckDB's own
FILE_BYTES = 512 << 20  # about 100 MB of compressed pages
BUFFER_BYTES = 3 * ROW_GROUP_BYTES  # of all partitions together
OPEN_FILES = 32

NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_error(location: Location, what: str, error: OSError) -> WriteFailed:
    """Return the error for a failed write."""
    where = f"Cannot write {what} in {location.uri}"
    done = "Earlier commits are complete, nothing else is in the store"
    if error.errno in NO_ROOM:
        return DiskFull(f"{where}: no space left ({error}). {done}. Free some space and run again.")
    return WriteFailed(f"{where}: {error}. {done}.")


class Writer:
    """Writes rows of one table. Rows are in the store after `commit`, `close`, or the rotation of their file.

    A writer that leaves its `with` block by an error discards its uncommitted rows.
    """

    def __init__(
        self, location: Location, table: Table, fixed: Mapping[str, Any], files: FileMaker, *, file_bytes: int
    ):
        self.table, self.fixed = table, dict(fixed)
        self.rows = 0  # added in all
        self.committed: list[str] = []  # files in the store, as paths below the table's folder
        self._location, self._files, self._file_bytes = location, files, file_bytes
        self._parts: dict[str, _PartitionBuffer] = {}
        self._is_open = True

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abort()

    def add(self, rows: Rows) -> None:
        """Add rows: mappings, a record batch or a table, with the columns that the table declares."""
        if not self._is_open:
            raise ParcelsError(f"The writer of table {self.table.name} is closed.")
        if len(rows) == 0:
            return
        checked = conform(self.table, rows, self.fixed)
        with self._guarded():
            for values, share in self._by_partition(checked):
                where = folder(self.table, self.fixed | values)
                part = self._parts.pop(where, None) or _PartitionBuffer()
                self._parts[where] = part  # in order of last use
                part.add(share)
                self._flush_if_full(where, part)
            self._keep_bounds()
        self.rows += checked.num_rows

    def commit(self) -> list[str]:
        """Commit all rows so far; return the files of this commit."""
        before = len(self.committed)
        with self._guarded():
            self._move_in([self._finish(where) for where in list(self._parts)])
        return self.committed[before:]

    def close(self) -> list[str]:
        """Commit and close."""
        if not self._is_open:
            return []
        committed = self.commit()
        self._end()
        return committed

    def abort(self) -> None:
        """Discard uncommitted rows and close."""
        if self._is_open:
            self._end()

    def _end(self) -> None:
        self._is_open = False
        self._parts.clear()
        self._files.close()

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Abort the writer where a write fails, and raise an error with advice."""
        try:
            yield
        except ConfigError:
            self.abort()
            raise
        except OSError as error:
            with contextlib.suppress(OSError):  # the first error is raised
                self.abort()
            raise write_error(self._location, f"table {self.table.name}", error) from error

    def _by_partition(self, rows: pa.Table) -> Iterator[tuple[dict[str, Any], pa.Table]]:
        free = [name for name in self.table.partitions if name not in self.fixed]
        if not free:
            yield {}, rows
            return
        groups: dict[tuple[Any, ...], list[int]] = {}
        for index, values in enumerate(zip(*(rows[name].to_pylist() for name in free), strict=True)):
            groups.setdefault(values, []).append(index)
        rows = rows.drop_columns(free)
        for values, indices in groups.items():
            yield dict(zip(free, values, strict=True)), rows if len(groups) == 1 else rows.take(indices)

    def _flush_if_full(self, where: str, part: "_PartitionBuffer") -> None:
        if part.bytes >= ROW_GROUP_BYTES or part.rows >= ROW_GROUP_ROWS:
            part.flush(self._files, where)
            if part.written >= self._file_bytes:
                self._move_in([self._finish(where)])

    def _keep_bounds(self) -> None:
        while sum(part.bytes for part in self._parts.values()) > BUFFER_BYTES:
            where, part = max(self._parts.items(), key=lambda item: item[1].bytes)
            part.flush(self._files, where)
        while sum(part.file is not None for part in self._parts.values()) > OPEN_FILES:
            oldest = next(where for where, part in self._parts.items() if part.file is not None)
            self._move_in([self._finish(oldest)])

    def _finish(self, where: str) -> StagedFile | None:
        part = self._parts.pop(where)
        part.flush(self._files, where)
        if part.file is not None:
            part.file.finish()
        return part.file

    def _move_in(self, files: list[StagedFile | None]) -> None:
        for file in files:
            if file is not None:
                self.committed.append(self._files.commit(file))


class _PartitionBuffer:
    """Rows on their way into one partition: in memory, then in a staged file."""

    def __init__(self) -> None:
        self.file: StagedFile | None = None
        self.bytes = self.rows = self.written = 0
        self._tables: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        self._tables.append(rows)
        self.bytes += rows.nbytes
        self.rows += rows.num_rows

    def flush(self, files: FileMaker, where: str) -> None:
        """Write the rows in memory as row groups."""
        if not self.rows:
            return
        if self.file is None:
            self.file = files.new(where)
        self.file.write(pa.concat_tables(self._tables))
        self.written += self.bytes
        self.bytes = self.rows = 0
        self._tables = []
