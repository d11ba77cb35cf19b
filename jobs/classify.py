"""classify: `pages` and a model in, `labels` out; a new model is a new partition."""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from jobs.divide import STEP as DIVIDE
from jobs.divide import rejected
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.classify.labelled import Labelled, label_blocks
from parcels.classify.measured import Measured
from parcels.classify.model import MODELS, BlockModel, Prediction
from parcels.errors import ConfigError
from parcels.store import Store
from parcels.urls import block_id

STEP = "classify"
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
def opened_model(data: bytes) -> Any:
    """The model in a zip file, opened once a process."""
    from jobs.cotrained import open_any

    archive = zipfile.ZipFile(io.BytesIO(data))
    archive.filename = "sent to the executors"  # for messages: a path needs a name
    return open_any(cast(Traversable, zipfile.Path(archive)))


@dataclass(frozen=True)
class Classify:
    """Labels the blocks of pages with a model."""

    model: SentModel
    name: str = STEP

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{STEP} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with labels of this model, and pages that were left out."""
        rows = frame(spark, store, "labels").where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, DIVIDE, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenClassify":
        """With the model open."""
        return OpenClassify(self.model.name, opened_model(self.model.data.value))


@dataclass(frozen=True)
class OpenClassify:
    """The step in an executor."""

    name: str
    model: BlockModel

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """The labels of a page's blocks."""
        said = label_blocks(work.division, work.laid, cast(BlockModel, _Overhearing(self.model, work)))
        yield "labels", list(_rows(work, said, self.name))


@dataclass(frozen=True)
class _Overhearing:
    """The model, and what it is given to look at: measured once, a page serves `featurize` as well."""

    model: BlockModel
    work: PageWork

    def predict(self, measured: Measured) -> Prediction:
        if self.work.divider == "fine":  # the model looks at fine blocks, whatever the divider
            self.work.__dict__.setdefault("measured", measured)
        return self.model.predict(measured)


def _rows(work: PageWork, said: Labelled, model: str) -> Iterator[dict[str, Any]]:
    bounds = work.division.ranges()
    for n, (block, (first, end)) in enumerate(zip(said.blocks, bounds, strict=True)):
        own = enumerate(said.leaf_labels[first:end], first)
        yield {
            "block_id": block_id(work.page_id, n, work.divider_name),
            "page_id": work.page_id,
            "n": n,
            "label": block.label,
            "confidence": block.confidence,
            "views": [
                {"view": view, "label": vote.label, "confidence": vote.confidence} for view, vote in block.views.items()
            ],
            "leaves": [{"n": leaf, "label": label} for leaf, label in own if label is not None],
            "spans": [
                {"label": span.label, "start": span.start, "end": span.end, "confidence": span.confidence}
                for span in block.spans
            ],
            "importance": block.importance,
            "model": model,
        }
