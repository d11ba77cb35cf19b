"""The SVM extractor: its model folder, its predictions, and the article that it extracts."""

import json
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.articles.article import Article, Content, article_of, heading_of
from parcels.articles.body.include import DEFAULT, Include
from parcels.articles.body.parts import Floats, content_parts
from parcels.articles.fields.stated import Stated
from parcels.articles.svm.blocks import TextBlocks, text_blocks
from parcels.articles.svm.features import SETS, features, names_of
from parcels.articles.svm.machine import Machine
from parcels.articles.svm.tokens import TOKENS
from parcels.errors import ModelMismatch
from parcels.html.page import Page
from parcels.html.structured import claims
from parcels.learn.stored import BROKEN, packed, unpacked
from parcels.models.registry import find_model, read_header

KIND, VERSION = "content-svm", 1
SHIPPED = "content_svm"
MOST_POSITIONS = 10_000
_AGAIN = "\nTrain it again (parcels train content-svm --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True)
class Sureness:
    """A logistic curve from a block's decision value to the probability that it is content."""

    slope: float
    offset: float

    def __call__(self, distance: Floats) -> Floats:
        """Return the probabilities."""
        proba: Floats = 1 / (1 + np.exp(-np.clip(self.slope * distance + self.offset, -40, 40)))
        return proba


@dataclass(frozen=True)
class SvmModel:
    """Tokens, machine, and settings of the features."""

    tokens: tuple[str, ...]
    machine: Machine
    sureness: Sureness
    columns: str = SETS[2]
    positions: int = 50
    is_log: bool = True
    meta: dict[str, Any] = field(default_factory=dict)

    def decide(self, blocks: TextBlocks) -> Floats:
        """Return the decision value of each block, positive for content."""
        if not len(blocks):
            return np.zeros(0)
        rows = features(blocks, self.tokens, of=self.columns, positions=self.positions, is_log=self.is_log)
        return self.machine.decide(rows)

    def taken(self, blocks: TextBlocks) -> tuple[NDArray[np.bool_], float]:
        """Return the blocks classified as content, and their expected word F1."""
        distance = self.decide(blocks)
        is_taken = distance > 0
        hits = self.sureness(distance) * blocks.words
        total = float(blocks.words[is_taken].sum() + hits.sum())
        return is_taken, 2 * float(hits[is_taken].sum()) / total if total else 0.0

    def save(self, folder: Path) -> None:
        """Write model.json and arrays.npz."""
        folder.mkdir(parents=True, exist_ok=True)
        stated = {
            "kind": KIND, "version": VERSION, "tokens": list(self.tokens), "columns": self.columns,
            "positions": self.positions, "is_log": self.is_log, "features": names_of(self.tokens, self.columns),
            "sureness": [self.sureness.slope, self.sureness.offset],
        }  # fmt: skip
        (folder / "model.json").write_text(json.dumps({**stated, **self.meta}, indent=1) + "\n", "utf-8")
        (folder / "arrays.npz").write_bytes(packed(self.machine.arrays()))


def open_svm_model(folder: Traversable) -> SvmModel:
    """Open a model folder; raises ModelMismatch where it is invalid, of another version or of other features."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
        return _checked(stated, unpacked((folder / "arrays.npz").read_bytes()))
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error, ModelMismatch) as error:
        what = str(error) if isinstance(error, ModelMismatch) else f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error


def _checked(stated: dict[str, Any], arrays: dict[str, Any]) -> SvmModel:
    tokens, columns, positions = tuple(stated["tokens"]), stated["columns"], stated["positions"]
    if len(tokens) > TOKENS or not all(isinstance(token, str) for token in tokens) or columns not in SETS:
        raise ModelMismatch("its tokens or columns are unknown to this version")
    if type(positions) is not int or not 0 < positions <= MOST_POSITIONS or type(stated["is_log"]) is not bool:
        raise ModelMismatch("its settings are out of range")
    expected = names_of(tokens, columns)
    if stated["features"] != expected:
        raise ModelMismatch("it was trained on other features")
    slope, offset = (float(value) for value in stated["sureness"])
    if not np.isfinite([slope, offset]).all():
        raise ModelMismatch("its sureness is not a pair of finite numbers")
    machine = Machine.of_arrays(arrays, len(expected))
    return SvmModel(tokens, machine, Sureness(slope, offset), columns, positions, stated["is_log"])


@cache
def svm_model_at(name: str = SHIPPED) -> SvmModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_svm_model(find_model(name, KIND))


def extract_page(page: Page, model: SvmModel, include: Include = DEFAULT) -> Article:
    """Return the article of a page, without a page type; its fields are found as by the default extractor."""
    page_claims, blocks = claims(page), text_blocks(page)
    is_taken, expected = model.taken(blocks)
    taken = np.zeros(len(blocks.parts), bool)
    taken[blocks.at[is_taken]] = True
    content = Content(blocks.parts, taken, expected, None)
    return article_of(
        page, heading_of(content_parts(page), page_claims), page_claims, Stated.of(page_claims), content, include
    )
