"""The model: gradient boosted trees over the features of a page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from parcels.errors import ModelMismatch
from parcels.index_pages.examples import ANSWERS
from parcels.index_pages.features import NAMES, as_rows
from parcels.learn.stored import BROKEN
from parcels.learn.trees import Trees
from parcels.models.registry import find_model, read_header

KIND, VERSION = "index-pages", 1
SHIPPED = "index_pages"
LEARNER = "trees"  # folder of the trees
_AGAIN = "\nTrain it again (parcels train index-pages --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True, slots=True)
class Chances:
    """The probabilities that a page is an article, an index page, or neither."""

    article: float
    index_page: float
    other: float


@dataclass(frozen=True)
class IndexModel:
    """Trees that tell articles, index pages and other pages apart."""

    trees: Trees
    meta: dict[str, Any] = field(default_factory=dict)

    def chances(self, row: Sequence[float]) -> Chances:
        """Return the probabilities of a page, from its features."""
        return Chances(*self.trees.predict_proba(as_rows([row]), None)[0].tolist())

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        self.trees.save(folder / LEARNER)
        stated = {"kind": KIND, "version": VERSION, "features": list(NAMES), "answers": list(ANSWERS), **self.meta}
        (folder / "model.json").write_text(json.dumps(stated, indent=1) + "\n", "utf-8")


def open_index_model(folder: Traversable) -> IndexModel:
    """Open a model folder; raises ModelMismatch where it is invalid, of another version or of other features."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
        if stated["features"] != list(NAMES):
            changed = sorted(set(stated["features"]) ^ set(NAMES)) or ["their order"]
            raise ModelMismatch(f"it was trained on other features: {', '.join(changed):.200}")
        trees = Trees.load(folder / LEARNER)
        if (trees.n_numbers_, trees.n_words_, tuple(trees.classes_.tolist())) != (len(NAMES), 0, ANSWERS):
            raise ModelMismatch("its trees expect other columns or answers")
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (*BROKEN, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    known: dict[str, Any] = {name: stated[name] for name in ("data", "scores") if name in stated}
    return IndexModel(trees, known)


@cache
def index_model_at(name: str = SHIPPED) -> IndexModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_index_model(find_model(name, KIND))
