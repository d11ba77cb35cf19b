"""Models by name: a folder, a model that comes with the package, or one that is kept in a store.

Every command that takes `--model NAME` resolves NAME here, in this order.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parcels.errors import ConfigError, ModelMismatch

if TYPE_CHECKING:
    from parcels.store import Store

PACKAGE = "parcels.models"
KEPT = "_models"  # the folder of models in a store: a table's name never begins with `_`
HEADER, CARD = "model.json", "card.md"
KINDS = {
    "blocks": "labels of blocks",
    "cotrained": "labels of blocks",
    "content": "main content",
    "content-svm": "main content",
    "layout-mixture": "topics of pages",
    "pagetypes": "types of pages",
    "segmenter": "segments of pages",
    "tagger": "part-of-speech tags",
    "names": "names in text",
    "idf": "document frequencies",
}  # what a model of each kind is for


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as its folder describes it."""

    name: str
    kind: str
    version: int
    card: str  # empty where the folder has none
    folder: Traversable
    stated: dict[str, Any]  # all of model.json

    @property
    def title(self) -> str:
        """The first line of the card."""
        return self.card.partition("\n")[0].lstrip("# ")

    @property
    def purpose(self) -> str:
        """Return the purpose of models of this kind."""
        return KINDS.get(self.kind, self.kind)


@cache
def shipped_models(*kinds: str) -> tuple[ModelInfo, ...]:
    """Return the models that come with the package, sorted by name; of some kinds only, where these are named."""
    found = [info for info in map(_info, files(PACKAGE).iterdir()) if info and (not kinds or info.kind in kinds)]
    return tuple(sorted(found, key=lambda info: info.name))


def stored_models(store: "Store") -> tuple[ModelInfo, ...]:
    """Return the models that jobs have put into a store on this machine, sorted by name."""
    folder = Path(store.place.path(KEPT)) if store.place.is_local else None
    found = map(_info, folder.iterdir()) if folder is not None and folder.is_dir() else iter(())
    return tuple(sorted((info for info in found if info), key=lambda info: info.name))


def _info(folder: Traversable) -> ModelInfo | None:
    """Return what a folder states; None where it is not a model."""
    if not (folder / HEADER).is_file():
        return None
    try:
        stated = json.loads((folder / HEADER).read_text("utf-8"))
        kind, version = str(stated["kind"]), int(stated["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    card = (folder / CARD).read_text("utf-8") if (folder / CARD).is_file() else ""
    return ModelInfo(folder.name, kind, version, card, folder, stated)


def find_model(name: str, *kinds: str, store: "Store | None" = None) -> Traversable:
    """Return the folder of a model; ConfigError where there is none, naming those of `kinds` that there are."""
    for folder in _places(name, store):
        if (folder / HEADER).is_file():
            return folder
    if Path(name).is_dir():
        raise ModelMismatch(f"the model at {name} cannot be used: the folder holds no {HEADER}")
    known = ", ".join(info.name for info in shipped_models(*kinds)) or "none of this kind"
    kept = (
        ""
        if store is None
        else ", ".join(info.name for info in stored_models(store) if info.kind in kinds or not kinds)
    )
    inside = "" if store is None else f", a model in {store.place.given} ({kept or 'it holds none of this kind'})"
    raise ConfigError(f"there is no model '{name}': name a model's folder, a shipped model ({known}){inside}")


def _places(name: str, store: "Store | None") -> Iterator[Traversable]:
    yield Path(name)
    if name.replace("-", "_").isidentifier():
        yield files(PACKAGE) / name
        if store is not None and store.place.is_local:
            yield Path(store.place.path(KEPT, name))


def model_path(name: str, store: str | None, *kinds: str) -> str:
    """Return what a model is opened by: the name itself, or its folder in the store where only the store has it.

    The store is opened only where it is needed: one that does not exist yet does not matter to a shipped model.
    """
    if store is None or any((folder / HEADER).is_file() for folder in _places(name, None)):
        return name
    from parcels.store import open_store

    return str(find_model(name, *kinds, store=open_store(store)))


def read_header(folder: Traversable, *kinds: str) -> dict[str, Any]:
    """Return model.json of a folder; ModelMismatch where it cannot be read or is of none of the kinds."""
    again = f"\nTrain it again (parcels train {kinds[0]} --data ... --out MODELDIR), or install parcels anew."
    try:
        stated = json.loads((folder / HEADER).read_text("utf-8"))
        if not isinstance(stated, dict):
            raise ValueError("it holds no object")
    except (OSError, ValueError, KeyError) as error:
        what = f"{HEADER}: {type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{again}") from error
    kind = stated.get("kind")
    if kind not in kinds:
        found = f"{kind}@{stated.get('version')}"
        purpose = f" ({KINDS[kind]})" if isinstance(kind, str) and kind in KINDS else ""
        raise ModelMismatch(
            f"the model at {folder} cannot be used: it is {found:.80}{purpose}; "
            f"a model for {KINDS[kinds[0]]} is needed (kind {' or '.join(kinds)}).\n"
            f"Name another one, or train one: parcels train {kinds[0]} --data ... --out MODELDIR"
        )
    return stated
