"""Jobs that take a model along: its folder goes to the executors as bytes, and is opened once a process."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from jobs.engine.page import Finished, Rows, StoredPage
from parcels.models.registry import find_model
from parcels.store import Store

HASH_DIGITS = 8


@dataclass(frozen=True)
class Packed:
    """The bytes of a zip file, read as those of a broadcast of Spark are."""

    value: bytes


@dataclass(frozen=True)
class SentModel:
    """A model's folder as one piece of bytes, sent to the executors once."""

    name: str  # the partition: name@hash, so that a model that was trained again is another one
    data: Any  # the bytes of a zip file in `value`: Packed, or a broadcast


def packed(model: str, store: Store) -> tuple[str, bytes]:
    """A model (shipped, trained here by `cotrain`, or any folder) as `name@hash` and the bytes of a zip file."""
    folder = find_model(model, store=store)
    data = io.BytesIO()
    digest = hashlib.sha256()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in sorted(_files(folder)):
            digest.update(path.encode() + b"\0" + content)
            archive.writestr(zipfile.ZipInfo(path), content)
    name = folder.name if folder.name else Path(model).name
    return f"{name}@{digest.hexdigest()[:HASH_DIGITS]}", data.getvalue()


def _files(folder: Traversable, below: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{below}{entry.name}/")
        elif not entry.name.endswith((".py", ".pyc", ".md")):
            yield f"{below}{entry.name}", entry.read_bytes()


@cache
def opened_folder(data: bytes, opening: Callable[[Traversable], Any], name: str) -> Any:
    """Open the model in a zip file, once per process; errors name it by `name`."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    archive.filename = name
    return opening(cast(Traversable, zipfile.Path(archive)))


@dataclass(frozen=True)
class ModelStep:
    """A job that makes rows of one table from each page with a model; a new model is a new partition."""

    name: str
    table: str
    opening: Callable[[Traversable], Any]  # opens the model's folder
    make: Callable[[StoredPage, Any, str], Rows]  # a page's rows, by the opened model and its name
    model: SentModel
    after: tuple[str, ...] = ()  # steps whose rejects need nothing here either

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{self.name} {self.model.name}"

    @property
    def finished(self) -> Finished:
        """Pages with rows by this model, and pages that were left out."""
        return Finished((self.table,), {"model": self.model.name}, (*self.after, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenModelStep":
        """With the model open."""
        return OpenModelStep(self, opened_folder(self.model.data.value, self.opening, self.model.name))


@dataclass(frozen=True)
class OpenModelStep:
    """The step in an executor."""

    sent: ModelStep
    model: Any

    def rows(self, page: StoredPage) -> Iterator[tuple[str, Rows]]:
        """Yield the rows of a page."""
        yield self.sent.table, self.sent.make(page, self.model, self.sent.model.name)
