"""Jobs that take a model along: its folder goes to the executors as bytes, and is opened once a process."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from jobs.divide import rejected
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.classify.model import MODELS
from parcels.errors import ConfigError
from parcels.store import Store

HASH_DIGITS = 8


@dataclass(frozen=True)
class SentModel:
    """A model's folder as one piece of bytes, sent to the executors once."""

    name: str  # the partition: name@hash, so that a model that was trained again is another one
    data: Any  # a broadcast of the bytes of a zip file


def packed(model: str, store: Store) -> tuple[str, bytes]:
    """A model (shipped, trained here by `cotrain`, or any folder) as `name@hash` and the bytes of a zip file."""
    folder = found(model, store)
    data = io.BytesIO()
    digest = hashlib.sha256()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in sorted(_files(folder)):
            digest.update(path.encode() + b"\0" + content)
            archive.writestr(zipfile.ZipInfo(path), content)
    name = folder.name if folder.name else Path(model).name
    return f"{name}@{digest.hexdigest()[:HASH_DIGITS]}", data.getvalue()


def found(model: str, store: Store) -> Traversable:
    """The folder of a model, by its name or path."""
    from jobs.cotrained import FOLDER

    places: list[Traversable] = [Path(model)]
    if model.replace("-", "_").isidentifier():
        places.append(files(MODELS) / model)
        if store.place.is_local:
            places.append(Path(store.place.path(FOLDER, model)))
    for place in places:
        if (place / "model.json").is_file():
            return place
    raise ConfigError(f"there is no model '{model}': name a shipped one (news), one that cotrain made, or a folder")


def _files(folder: Traversable, below: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{below}{entry.name}/")
        elif not entry.name.endswith((".py", ".pyc", ".md")):
            yield f"{below}{entry.name}", entry.read_bytes()


@cache
def opened_folder(data: bytes, opening: Callable[[Traversable], Any]) -> Any:
    """The model in a zip file, opened once a process."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    archive.filename = "sent to the executors"  # for messages: a path needs a name
    return opening(cast(Traversable, zipfile.Path(archive)))


@dataclass(frozen=True)
class ModelStep:
    """A job that makes rows of one table from each page with a model; a new model is a new partition."""

    name: str
    table: str
    opening: Callable[[Traversable], Any]  # opens the model's folder
    make: Callable[[PageWork, Any, str], Rows]  # a page's rows, by the opened model and its name
    model: SentModel
    after: tuple[str, ...] = ()  # steps whose rejects need nothing here either

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{self.name} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with rows by this model, and pages that were left out."""
        rows = frame(spark, store, self.table).where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, *self.after, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenModelStep":
        """With the model open."""
        return OpenModelStep(self, opened_folder(self.model.data.value, self.opening))


@dataclass(frozen=True)
class OpenModelStep:
    """The step in an executor."""

    sent: ModelStep
    model: Any

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """The rows of a page."""
        yield self.sent.table, self.sent.make(work, self.model, self.sent.model.name)
