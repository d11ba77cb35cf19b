"""The page-type model: two linear SVMs, over terms by position and over names, claims and sizes."""

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Parts, content_parts
from parcels.errors import ModelMismatch
from parcels.html.page import Page
from parcels.html.structured import Claim, claims
from parcels.index_pages.features import page_features
from parcels.index_pages.model import Chances, index_model_at
from parcels.index_pages.types import settled_types
from parcels.layout.render import LaidOut
from parcels.learn.linear_svm import Bag, LinearSvm
from parcels.learn.stored import BROKEN, Arrays, Reader, packed, unpacked
from parcels.models.registry import find_model, read_header
from parcels.pagetypes.features import position_terms, tokens_of
from parcels.segments.model import SegmenterModel, segmenter_at

Floats = NDArray[np.float64]
KIND, VERSION = "pagetypes", 1
SHIPPED = "pagetypes"
_AGAIN = "\nTrain it again (parcels train pagetypes --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True)
class _Read:
    """A page with its blocks and claims, which both models read."""

    page: Page
    parts: Parts
    claims: list[Claim]

    @classmethod
    def of(cls, page: Page) -> "_Read":
        """Read the blocks and claims of a page."""
        return cls(page, content_parts(page), claims(page))

    @property
    def names(self) -> Bag:
        """The tokens of the page."""
        return dict.fromkeys(tokens_of(self.parts, self.claims, self.page.url), 1)

    def chances(self) -> Chances:
        """Return the chances of an article, an index page, or neither."""
        return index_model_at().chances(page_features(self.parts, self.claims, self.page.url))


@dataclass(frozen=True)
class PageTypeModel:
    """Two SVMs whose scores are added, the second with a weight."""

    by_position: LinearSvm
    by_names: LinearSvm
    names_weight: float = 1.0
    meta: dict[str, Any] = field(default_factory=dict)

    def probabilities(self, positions: Sequence[Bag], names: Sequence[Bag]) -> Floats:
        """Return probabilities: one row per page, one column per type."""
        scores = self.by_position.scores(positions) + self.names_weight * self.by_names.scores(names)
        return self.by_position.probabilities(scores)

    def of_page(self, laid: LaidOut, segmenter: SegmenterModel | None = None) -> dict[str, float]:
        """Return the probability of each type for a laid-out page."""
        read = _Read.of(laid.page)
        positions = position_terms(laid, segmenter or segmenter_at())
        proba = self.probabilities([positions], [read.names])[0]
        return {name: round(share, 4) for name, share in self._settled(proba, read).items()}

    def at_a_glance(self, page: Page) -> tuple[str, float]:
        """Return the most probable type and its probability without a layout, which is fast enough for a crawl."""
        read, machine = _Read.of(page), self.by_names
        shares = self._settled(machine.probabilities(machine.scores([read.names]))[0], read)
        best = max(shares, key=shares.__getitem__)
        return best, shares[best]

    def _settled(self, proba: Floats, read: "_Read") -> dict[str, float]:
        """Return the probability of each type, where the index model decides what is an article."""
        return settled_types(dict(zip(self.by_names.types, proba.tolist(), strict=True)), read.chances())

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        arrays: Arrays = {}
        for name, machine in (("position", self.by_position), ("names", self.by_names)):
            arrays |= machine.save(folder, name)
        (folder / "arrays.npz").write_bytes(packed(arrays))
        stated = {
            "kind": KIND,
            "version": VERSION,
            "types": list(self.by_position.types),
            "sharpness": self.by_position.sharpness,
            "names_weight": self.names_weight,
            **self.meta,
        }
        (folder / "model.json").write_text(json.dumps(stated, indent=1) + "\n", "utf-8")


def open_page_types(folder: Traversable) -> PageTypeModel:
    """Open a model folder; raises ModelMismatch where it is invalid or of another version."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
        types, numbers = stated["types"], (stated["sharpness"], stated["names_weight"])
        if not isinstance(types, list) or not types or not all(isinstance(name, str) for name in types):
            raise ModelMismatch("its types are not a list of names")
        if any(type(number) not in (int, float) or not 0 <= number <= 1000 for number in numbers):
            raise ModelMismatch(f"its numbers must be from 0 to 1000, got {numbers!r:.80}")
        arrays = Reader(unpacked((folder / "arrays.npz").read_bytes()))
        first, second = (
            LinearSvm.load(folder, arrays, name, types, float(numbers[0])) for name in ("position", "names")
        )
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    known: dict[str, Any] = {name: stated[name] for name in ("data", "scores") if name in stated}
    return PageTypeModel(first, second, float(numbers[1]), known)


@cache
def page_types_at(name: str = SHIPPED) -> PageTypeModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_page_types(find_model(name, KIND))


def page_type(laid: LaidOut, model: str = SHIPPED) -> tuple[str, dict[str, float]]:
    """Return the most probable type of a laid-out page, and the probability of each type."""
    scores = page_types_at(model).of_page(laid)
    return max(scores, key=scores.__getitem__), scores
