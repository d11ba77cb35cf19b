"""Models by name: a folder, a shipped model, or a model in a store.

Every command with `--model NAME` resolves NAME here, in this order.
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
    "index-pages": "article or index page",
    "segmenter": "segments of pages",
    "tagger": "part-of-speech tags",
    "names": "names in text",
    "idf": "document frequencies",
}  # the purpose of each kind of model


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
        """Return the first line of the card."""
        return self.card.partition("\n")[0].lstrip("# ")

    @property
    def purpose(self) -> str:
        """Return the purpose of models of this kind."""
        return KINDS.get(self.kind, self.kind)


@cache
def shipped_models(*kinds: str) -> tuple[ModelInfo, ...]:
    """Return the shipped models, sorted by name; only those of the given kinds, if any."""
    models = [info for info in map(_info, files(PACKAGE).iterdir()) if info and (not kinds or info.kind in kinds)]
    return tuple(sorted(models, key=lambda info: info.name))


def stored_models(store: "Store") -> tuple[ModelInfo, ...]:
    """Return the models that jobs saved in a local store, sorted by name."""
    folder = Path(store.location.path(KEPT)) if store.location.is_local else None
    infos = map(_info, folder.iterdir()) if folder is not None and folder.is_dir() else iter(())
    return tuple(sorted((info for info in infos if info), key=lambda info: info.name))


def _info(folder: Traversable) -> ModelInfo | None:
    """Return the description of a model folder; None where it is not a model."""
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
    """Return the folder of a model; raise ConfigError with the known models of `kinds` where there is none."""
    for folder in _places(name, store):
        if (folder / HEADER).is_file():
            return folder
    if Path(name).is_dir():
        raise ModelMismatch(
            f"The model at {name} cannot be used: the folder has no {HEADER}. Name the folder of a trained model."
        )
    known = ", ".join(info.name for info in shipped_models(*kinds)) or "none of this kind"
    kept = (
        ""
        if store is None
        else ", ".join(info.name for info in stored_models(store) if info.kind in kinds or not kinds)
    )
    inside = "" if store is None else f", or a model in {store.location.uri} ({kept or 'none of this kind'})"
    raise ConfigError(f"Unknown model '{name}'. Name a model folder, a shipped model ({known}){inside}.")


def _places(name: str, store: "Store | None") -> Iterator[Traversable]:
    yield Path(name)
    if name.replace("-", "_").isidentifier():
        yield files(PACKAGE) / name
        if store is not None and store.location.is_local:
            yield Path(store.location.path(KEPT, name))


def model_path(name: str, store: str | None, *kinds: str) -> str:
    """Return the path of a model: the name itself, or its folder in the store where only the store has it.

    The store is opened only if needed, so that it need not exist for a shipped model.
    """
    if store is None or any((folder / HEADER).is_file() for folder in _places(name, None)):
        return name
    from parcels.store import open_store

    return str(find_model(name, *kinds, store=open_store(store)))


def read_header(folder: Traversable, *kinds: str) -> dict[str, Any]:
    """Return model.json of a folder; raise ModelMismatch where it cannot be read or has another kind."""
    again = f"\nRetrain it (parcels train {kinds[0]} --data … --out MODELDIR), or reinstall parcels."
    try:
        stated = json.loads((folder / HEADER).read_text("utf-8"))
        if not isinstance(stated, dict):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError, KeyError) as error:
        what = f"{HEADER}: {type(error).__name__}: {error}"
        raise ModelMismatch(f"The model at {folder} cannot be used: {what:.300}{again}") from error
    kind = stated.get("kind")
    if kind not in kinds:
        actual = f"{kind}@{stated.get('version')}"
        purpose = f" ({KINDS[kind]})" if isinstance(kind, str) and kind in KINDS else ""
        raise ModelMismatch(
            f"The model at {folder} cannot be used: it is {actual:.80}{purpose}, "
            f"but a model for {KINDS[kinds[0]]} is needed (kind {' or '.join(kinds)}).\n"
            f"Name another model, or train one: parcels train {kinds[0]} --data … --out MODELDIR"
        )
    return stated
