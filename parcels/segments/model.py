"""The segmenter model: weights of boundaries, trees, weights of the informative segment, tuned baselines."""

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
from parcels.segments.content import NAMES as CONTENT_NAMES
from parcels.segments.features import NAMES, Rows
from parcels.segments.gold import LEVELS
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.prizes import by_prizes, costs_of_whole
from parcels.segments.graph.second_opinion import opinion
from parcels.segments.graph.structural_svm import MARGIN, SLACK
from parcels.segments.graph.wps_graph import WpsGraph
from parcels.segments.informative import informative_probabilities, prizes_for

Floats = NDArray[np.float64]
KIND, VERSION = "segmenter", 3
SHIPPED = "segmenter"
RESCALINGS = (MARGIN, SLACK)
# Loss, and whether trees are added. The last one is the paper's method.
WPS = {"wps-margin": (MARGIN, True), "wps-slack": (SLACK, True), "wps-linear": (MARGIN, False)}
_AGAIN = "\nTrain it again (parcels train segmenter --data ... --out MODELDIR), or install parcels anew."


@dataclass(frozen=True)
class Tuned:
    """Parameters of the baselines, tuned on marked pages."""

    bf_threshold: float = 0.65  # the value of Bing et al.
    vips_coherence: int = 5
    cclus_tradeoff: float = 0.62
    gcuts_tradeoff: float = 0.53
    pair_weights: Floats = field(default_factory=lambda: np.zeros(len(PAIR_NAMES) + 1))

    def numbers(self) -> dict[str, float]:
        """Return the single numbers as in model.json."""
        return {
            "bf_threshold": self.bf_threshold,
            "vips_coherence": self.vips_coherence,
            "cclus_tradeoff": self.cclus_tradeoff,
            "gcuts_tradeoff": self.gcuts_tradeoff,
        }


class Cut(NamedTuple):
    """A labelling of a graph, and the probability of each segment to be the informative one, if computed."""

    labels: Labels
    probabilities: Floats | None = None


@dataclass(frozen=True)
class SegmenterModel:
    """Weights by loss and level (features, then the constant), and by level tuned baselines, trees and the weights of
    the informative segment."""

    weights: Mapping[tuple[str, int], Floats]
    tuned: Mapping[int, Tuned]
    trees: Mapping[int, Trees] = field(default_factory=dict)
    informative_weights: Mapping[int, Floats] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    def gains(self, rows: Rows, *, segmenter: str, level: int) -> Floats:
        """Return the gain of cutting at each boundary."""
        rescaling, has_trees = WPS[segmenter]
        weights = self.weights[rescaling, level]
        gains: Floats = rows @ weights[:-1] + weights[-1]
        return gains + opinion(self.trees[level], rows) if has_trees else gains

    def cut(self, graph: WpsGraph, rows: Rows, *, segmenter: str, level: int, content: Callable[[], Floats]) -> Cut:
        """Return the best labelling of a graph.

        Only `wps-slack` calls `content` for the features of the informative segment, and gives a prize for leaving
        that segment whole.
        """
        gains = self.gains(rows, segmenter=segmenter, level=level)
        if WPS[segmenter][0] != SLACK or not len(graph):
            return Cut(by_chains(graph, gains))
        probabilities = informative_probabilities(
            content(), costs_of_whole(graph, gains), self.informative_weights[level]
        )
        return Cut(by_prizes(graph, gains, prizes_for(probabilities)), probabilities)

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        arrays = {f"{rescaling}-{level}": weights for (rescaling, level), weights in self.weights.items()}
        arrays |= {f"pairs-{level}": tuned.pair_weights for level, tuned in self.tuned.items()}
        arrays |= {f"chances-{level}": weights for level, weights in self.informative_weights.items()}
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
    """Open a model folder; raises ModelMismatch where it is invalid, of another version or of other features."""
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
        informative_weights = {
            level: arrays.take(f"chances-{level}", np.float64, (len(CONTENT_NAMES),), low=-1e6, high=1e6)
            for level in LEVELS
        }
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    meta: dict[str, Any] = {name: stated[name] for name in ("data", "scores") if name in stated}
    return SegmenterModel(weights, tuned, trees, informative_weights, meta)


def _trees(folder: Traversable) -> Trees:
    trees = Trees.load(folder)
    if trees.n_numbers_ != len(NAMES):
        raise ModelMismatch(f"its trees expect {trees.n_numbers_} features, this version has {len(NAMES)}")
    return trees


def _tuned(stated: dict[str, Any], arrays: Reader, level: int) -> Tuned:
    numbers = {name: stated[name] for name in Tuned().numbers()}
    if any(type(value) not in (int, float) or not 0 <= value <= 100 for value in numbers.values()):
        raise ModelMismatch(f"its tuned numbers must be from 0 to 100, got {stated!r:.200}")
    pairs = arrays.take(f"pairs-{level}", np.float64, (len(PAIR_NAMES) + 1,), low=-1e6, high=1e6)
    return Tuned(**numbers, pair_weights=pairs)


@cache
def segmenter_at(name: str = SHIPPED) -> SegmenterModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_segmenter(find_model(name, KIND))
