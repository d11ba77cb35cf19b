"""Small files beside the tables: checkpoints, pools, models. Each appears whole or not at all."""

from collections.abc import Iterator
from typing import Any

import orjson
import pyarrow as pa
from pyarrow import fs

from parcels.store import Store


class Scratch:
    """A folder of the store that is no table: its name begins with `_`."""

    def __init__(self, store: Store, folder: str):
        self._place, self.folder = store.location, folder

    def path(self, name: str) -> str:
        """The path of a file on the store's filesystem."""
        return self._place.path(self.folder, name)

    def put(self, name: str, data: bytes) -> None:
        """Write a file; one that was there is replaced in one step."""
        self._place.put(f"{self.folder}/{name}", data)

    def get(self, name: str) -> bytes | None:
        """The bytes of a file; None where there is none."""
        if self._place.filesystem.get_file_info(self.path(name)).type != fs.FileType.File:
            return None
        return self._place.read(f"{self.folder}/{name}")

    def put_json(self, name: str, data: Any) -> None:
        """Write plain data."""
        self.put(name, orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))

    def get_json(self, name: str) -> Any:
        """Plain data; None where there is no such file."""
        data = self.get(name)
        return None if data is None else orjson.loads(data)

    def put_rows(self, name: str, rows: pa.Table) -> None:
        """Write rows as an Arrow file."""
        self.put(name, to_bytes(rows))

    def get_rows(self, name: str) -> pa.Table | None:
        """Rows; None where there is no such file."""
        data = self.get(name)
        return None if data is None else from_bytes(data)

    def numbered(self, pattern: str) -> Iterator[tuple[int, str]]:
        """The files `pattern.format(n)` from 1 on, up to the first that is missing."""
        number = 1
        while self._place.filesystem.get_file_info(self.path(pattern.format(number))).type == fs.FileType.File:
            yield number, pattern.format(number)
            number += 1


def to_bytes(rows: pa.Table) -> bytes:
    """Rows as the bytes of an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(sink.getvalue())


def from_bytes(data: bytes) -> pa.Table:
    """What `to_bytes` gave."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()
