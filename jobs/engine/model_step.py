"""Jobs with a model: its folder is sent to the executors as bytes and opened once per process."""

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
class ArchiveBytes:
    """The bytes of a zip file, with the attribute of a Spark broadcast."""

    value: bytes


@dataclass(frozen=True)
class ModelArchive:
    """A model's folder as the bytes of a zip file, sent to the executors once."""

    name: str  # the partition: name@hash, so that a retrained model is a new one
    data: Any  # ArchiveBytes or a broadcast: the bytes are its `value`


def pack_model(model: str, store: Store) -> tuple[str, bytes]:
    """Return the name `name@hash` and the zip file of a model, given its name or its folder."""
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
    """A job that computes the rows of a page in one table with a model. A new model is a new partition."""

    name: str
    table: str
    opening: Callable[[Traversable], Any]  # open the model's folder
    make: Callable[[StoredPage, Any, str], Rows]  # compute a page's rows from the page, the open model and its name
    model: ModelArchive
    after: tuple[str, ...] = ()  # steps whose rejects this job skips

    @property
    def step(self) -> str:
        """Name in `rejects`, with the model: another model may process a page that this one rejects."""
        return f"{self.name} {self.model.name}"

    @property
    def finished(self) -> Finished:
        """Pages with rows by this model, and rejected pages."""
        return Finished((self.table,), {"model": self.model.name}, (*self.after, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenModelStep":
        """Open the model."""
        return OpenModelStep(self, opened_folder(self.model.data.value, self.opening, self.model.name))


@dataclass(frozen=True)
class OpenModelStep:
    """A step with its model open."""

    step: ModelStep
    model: Any

    def rows(self, page: StoredPage) -> Iterator[tuple[str, Rows]]:
        """Yield the rows of a page."""
        yield self.step.table, self.step.make(page, self.model, self.step.model.name)
