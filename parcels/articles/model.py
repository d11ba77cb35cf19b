"""The content model: the probability that each block is content, and the page type.

Two stages of gradient boosted trees. The first reads each block by itself. The second also reads the first stage's
probabilities around the block and those of the page types.
"""

import json
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from parcels.articles import context, features
from parcels.articles.body.parts import Floats, Parts
from parcels.articles.clues import Clues, node_tokens
from parcels.articles.confidence import UNBENT, Curve
from parcels.articles.fields.stated import Stated
from parcels.articles.page_types import page_tokens
from parcels.errors import ModelMismatch
from parcels.html.structured import Claim
from parcels.learn.linear_svm import LinearSvm
from parcels.learn.stored import BROKEN, Reader, packed, unpacked
from parcels.learn.trees import Trees
from parcels.models.registry import find_model, read_header

KIND, VERSION = "content", 3
SHIPPED = "content"
_AGAIN = "\nTrain it again (parcels train content --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True)
class Scored:
    """The model's predictions for one page."""

    proba: Floats  # of each block
    types: dict[str, float]  # page types, without the address
    curve: Curve = UNBENT
    named: dict[str, float] | None = None  # page types with the address, where it is known


@dataclass(frozen=True)
class ContentModel:
    """Weights of clues, a classifier of page types, two stages of trees and the confidence curve."""

    clues: Clues
    types: LinearSvm
    first: Trees
    second: Trees
    curve: Curve = UNBENT
    meta: dict[str, Any] = field(default_factory=dict)

    def score(self, parts: Parts, claims: list[Claim], url: str | None, *, stated: Stated | None = None) -> Scored:
        """Score the blocks of a page; its address counts for `named` only, not for the choice of text."""
        names = node_tokens(parts)
        tokens = page_tokens(parts, claims, url, names)
        bags = [dict.fromkeys(own, 1) for own in (without_address(tokens), tokens)]
        types, named = self.types.probabilities(self.types.scores(bags))
        rows = features.features(parts, stated or Stated.of(claims), self.clues, names)
        proba = np.zeros(0)
        if len(parts):
            proba = content_column(self.second, second_rows(parts, rows, content_column(self.first, rows), types))
            proba = np.where(parts.words > 0, proba, 0.0)
        shown, with_url = (dict(zip(self.types.types, row.round(4).tolist(), strict=True)) for row in (types, named))
        return Scored(proba, shown, self.curve, with_url if url else shown)

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, weights in (("names", self.clues.names), ("words", self.clues.words)):
            lines = [f"{token}\t{weight:g}" for token, weight in sorted(weights.items())]
            (folder / f"{name}.tsv").write_text("\n".join(lines), "utf-8")
        (folder / "types.npz").write_bytes(packed(self.types.save(folder, "types")))
        self.first.save(folder / "first")
        self.second.save(folder / "second")
        stated = {"kind": KIND, "version": VERSION, "features": list(features.NAMES), "context": list(context.NAMES)}
        stated |= {"types": list(self.types.types), "sharpness": self.types.sharpness}
        stated["confidence"] = [list(self.curve.expected), list(self.curve.measured)]
        (folder / "model.json").write_text(json.dumps({**stated, **self.meta}, indent=1) + "\n", "utf-8")


def without_address(tokens: Iterable[str]) -> set[str]:
    """Return the tokens of a page without those of its address.

    The extracted text must not depend on the address under which a page was stored, and the address adds little.

    >>> sorted(without_address({"u:depth:2", "u:news", "<nav>"}))
    ['<nav>']
    """
    return {token for token in tokens if not token.startswith("u:")}


def content_column(learner: Trees, rows: Floats) -> Floats:
    """Return the probability of content (the label 1) of each row."""
    proba: Floats = learner.predict_proba(rows, None)[:, -1]
    return proba


def second_rows(parts: Parts, rows: Floats, proba: Floats, types: Floats) -> Floats:
    """Return the features of the second stage: those of the first, its probabilities around, and the page types."""
    return np.concatenate([rows, context.context(parts, proba), np.tile(types, (len(parts), 1))], axis=1)


def open_content_model(folder: Traversable) -> ContentModel:
    """Open a model folder; raises ModelMismatch where it is invalid, of another version or of other features."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
        for part, names in (("features", features.NAMES), ("context", context.NAMES)):
            if stated[part] != list(names):
                changed = sorted(set(stated[part]) ^ set(names)) or ["their order"]
                raise ModelMismatch(f"it was trained on other {part}: {', '.join(changed):.200}")
        clues = Clues(_weights(folder / "names.tsv"), _weights(folder / "words.tsv"))
        arrays = Reader(unpacked((folder / "types.npz").read_bytes()))
        types = LinearSvm.load(folder, arrays, "types", _names(stated["types"]), float(stated["sharpness"]))
        curve = Curve.of_plain(stated["confidence"]) if "confidence" in stated else UNBENT
        first, second = Trees.load(folder / "first"), Trees.load(folder / "second")
        model = ContentModel(clues, types, first, second, curve)
        widths, own = (first.n_numbers_, second.n_numbers_), len(features.NAMES)
        if widths != (own, own + len(context.NAMES) + len(types.types)):
            raise ModelMismatch("its trees expect another number of columns")
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    return model


def _names(given: object) -> list[str]:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise ModelMismatch("its types are not a list of names")
    return given


def _weights(file: Traversable) -> dict[str, float]:
    pairs = (line.split("\t") for line in file.read_text("utf-8").split("\n") if line)
    return {token: float(weight) for token, weight in pairs}


@cache
def content_model_at(name: str = SHIPPED) -> ContentModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_content_model(find_model(name, KIND))
