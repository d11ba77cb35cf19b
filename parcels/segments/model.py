"""A segmenter's folder: weights of boundaries for both losses and levels, trees, the informative segment's weights,
and what the baselines are tuned to."""

import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.errors import ModelMismatch
from parcels.learn.stored import BROKEN, Reader, packed, unpacked
from parcels.learn.trees import Trees
from parcels.models.registry import find_model, read_header
from parcels.segments.baselines.pair_features import NAMES as PAIR_NAMES
from parcels.segments.chances import chances_of, prizes_of
from parcels.segments.content import NAMES as CONTENT_NAMES
from parcels.segments.features import NAMES, Rows
from parcels.segments.gold import LEVELS
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.second_opinion import opinion
from parcels.segments.graph.structural_svm import MARGIN, SLACK
from parcels.segments.graph.whole import by_prizes, costs_of_whole
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
KIND, VERSION = "segmenter", 3
SHIPPED = "segmenter"
RESCALINGS = (MARGIN, SLACK)
# Loss, and with trees? The last is the paper's machine as it stands.
WPS = {"wps-margin": (MARGIN, True), "wps-slack": (SLACK, True), "wps-linear": (MARGIN, False)}
_AGAIN = "\nTrain it again (parcels train segmenter --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True)
class Tuned:
    """What the baselines were tuned to on marked pages."""

    bf_threshold: float = 0.65  # as Bing et al. found it on their pages
    vips_coherence: int = 5
    cclus_tradeoff: float = 0.62
    gcuts_tradeoff: float = 0.53
    pair_weights: Floats = field(default_factory=lambda: np.zeros(len(PAIR_NAMES) + 1))

    def numbers(self) -> dict[str, float]:
        """The single numbers, as model.json has them."""
        return {
            "bf_threshold": self.bf_threshold,
            "vips_coherence": self.vips_coherence,
            "cclus_tradeoff": self.cclus_tradeoff,
            "gcuts_tradeoff": self.gcuts_tradeoff,
        }


class Cut(NamedTuple):
    """Which boundaries of a graph cut; how likely each segment is the informative one, where the segmenter asks."""

    labels: Labels
    chances: Floats | None = None


@dataclass(frozen=True)
class SegmenterModel:
    """Weights by loss and level (a row of features, then the constant), tuned baselines and trees by level; by level
    too the weights of what speaks for a segment as the informative one."""

    weights: Mapping[tuple[str, int], Floats]
    tuned: Mapping[int, Tuned]
    trees: Mapping[int, Trees] = field(default_factory=dict)
    chances: Mapping[int, Floats] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    def gains(self, rows: Rows, *, segmenter: str, level: int) -> Floats:
        """How much is gained by cutting at each boundary."""
        rescaling, has_trees = WPS[segmenter]
        weights = self.weights[rescaling, level]
        gains: Floats = rows @ weights[:-1] + weights[-1]
        return gains + opinion(self.trees[level], rows) if has_trees else gains

    def cut(self, graph: WpsGraph, rows: Rows, *, segmenter: str, level: int, content: Callable[[], Floats]) -> Cut:
        """The best labelling of a graph; `wps-slack` gives a prize for leaving the informative segment whole, for which
        alone it asks for `content`, the rows of what speaks for each segment."""
        gains = self.gains(rows, segmenter=segmenter, level=level)
        if WPS[segmenter][0] != SLACK or not len(graph):
            return Cut(by_chains(graph, gains))
        chances = chances_of(content(), costs_of_whole(graph, gains), self.chances[level])
        return Cut(by_prizes(graph, gains, prizes_of(chances)), chances)

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        arrays = {f"{rescaling}-{level}": weights for (rescaling, level), weights in self.weights.items()}
        arrays |= {f"pairs-{level}": tuned.pair_weights for level, tuned in self.tuned.items()}
        arrays |= {f"chances-{level}": weights for level, weights in self.chances.items()}
        (folder / "arrays.npz").write_bytes(packed(arrays))
        for level, trees in self.trees.items():
            trees.save(folder / f"trees-{level}")
        stated = {
            "kind": KIND,
            "version": VERSION,
            "features": list(NAMES),
            "pair_features": list(PAIR_NAMES),
            "content_features": list(CONTENT_NAMES),
            "tuned": {str(level): tuned.numbers() for level, tuned in self.tuned.items()},
            **self.meta,
        }
        (folder / "model.json").write_text(json.dumps(stated, indent=1) + "\n", "utf-8")


def open_segmenter(folder: Traversable) -> SegmenterModel:
    """Open a model's folder; raises ModelMismatch for what is none, of another version, or does not fit this code."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')!s:.40}, this code reads {KIND}@{VERSION}")
        read = {"features": NAMES, "pair_features": PAIR_NAMES, "content_features": CONTENT_NAMES}
        for part, names in read.items():
            if stated[part] != list(names):
                changed = sorted(set(stated[part]) ^ set(names)) or ["their order"]
                raise ModelMismatch(f"it was trained on other {part}: {', '.join(changed):.200}")
        arrays = Reader(unpacked((folder / "arrays.npz").read_bytes()))
        weights = {
            (rescaling, level): arrays.take(f"{rescaling}-{level}", np.float64, (len(NAMES) + 1,), low=-1e6, high=1e6)
            for rescaling in RESCALINGS
            for level in LEVELS
        }
        tuned = {level: _tuned(stated["tuned"][str(level)], arrays, level) for level in LEVELS}
        trees = {level: _trees(folder / f"trees-{level}") for level in LEVELS}
        chances = {
            level: arrays.take(f"chances-{level}", np.float64, (len(CONTENT_NAMES),), low=-1e6, high=1e6)
            for level in LEVELS
        }
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    meta: dict[str, Any] = {name: stated[name] for name in ("data", "scores") if name in stated}
    return SegmenterModel(weights, tuned, trees, chances, meta)


def _trees(folder: Traversable) -> Trees:
    trees = Trees.load(folder)
    if trees.n_numbers_ != len(NAMES):
        raise ModelMismatch(f"its trees read {trees.n_numbers_} features in place of {len(NAMES)}")
    return trees


def _tuned(stated: dict[str, Any], arrays: Reader, level: int) -> Tuned:
    numbers = {name: stated[name] for name in Tuned().numbers()}
    if any(type(value) not in (int, float) or not 0 <= value <= 100 for value in numbers.values()):
        raise ModelMismatch(f"what its baselines are tuned to is {stated!r:.200}")
    pairs = arrays.take(f"pairs-{level}", np.float64, (len(PAIR_NAMES) + 1,), low=-1e6, high=1e6)
    return Tuned(**numbers, pair_weights=pairs)


@cache
def segmenter_at(name: str = SHIPPED) -> SegmenterModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_segmenter(find_model(name, KIND))
