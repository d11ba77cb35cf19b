"""Files of a store beside its tables: checkpoints, pools, models. Each file appears by one atomic rename."""

from collections.abc import Iterator
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import fs

from parcels.store import Store


class Scratch:
    """A folder of the store that is not a table. Its name begins with `_`."""

    def __init__(self, store: Store, folder: str):
        self._place, self.folder = store.location, folder

    def path(self, name: str) -> str:
        """Return the path of a file on the store's filesystem."""
        return self._place.path(self.folder, name)

    def put(self, name: str, data: bytes) -> None:
        """Write a file. An existing file is replaced atomically."""
        self._place.put(f"{self.folder}/{name}", data)

    def get(self, name: str) -> bytes | None:
        """Return the bytes of a file, or None if it does not exist."""
        if self._place.filesystem.get_file_info(self.path(name)).type != fs.FileType.File:
            return None
        return self._place.read(f"{self.folder}/{name}")

    def put_json(self, name: str, data: Any) -> None:
        """Write plain data as JSON."""
        self.put(name, orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))

    def get_json(self, name: str) -> Any:
        """Return the plain data of a file, or None if it does not exist."""
        data = self.get(name)
        return None if data is None else orjson.loads(data)

    def put_rows(self, name: str, rows: pa.Table) -> None:
        """Write rows as an Arrow file."""
        self.put(name, to_bytes(rows))

    def get_rows(self, name: str) -> pa.Table | None:
        """Return the rows of a file, or None if it does not exist."""
        data = self.get(name)
        return None if data is None else from_bytes(data)

    def numbered(self, pattern: str) -> Iterator[tuple[int, str]]:
        """Yield the number and name of each file `pattern.format(n)`, from 1 to the first missing one."""
        number = 1
        while self._place.filesystem.get_file_info(self.path(pattern.format(number))).type == fs.FileType.File:
            yield number, pattern.format(number)
            number += 1


def to_bytes(rows: pa.Table) -> bytes:
    """Return rows as the bytes of an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(sink.getvalue())


def from_bytes(data: bytes) -> pa.Table:
    """Return the rows in the bytes of an Arrow stream."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()
