"""A small neural network over the blocks of a page: each block's label is decided with the page around it in sight.

One layer turns a block's numbers into features. Then each of three layers adds to a block's features what it reads from
the blocks up to 2, 4 and 8 places before and behind it, and from the mean of each group (list, parent, heading)
that the block belongs to. Fitted by Adam with dropout, in NumPy alone: the layers are few and known, so their gradients
are written out here, and neither training nor labelling needs another package.
"""

import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.compiled import loaded
from parcels.errors import ModelMismatch
from parcels.learn.groups import Groups
from parcels.learn.page_rows import Batch, PageRows, packs_of, weight_of
from parcels.learn.stored import ARRAYS, BROKEN, HEADER, Arrays, Reader, packed, unpacked

loops = loaded("parcels.learn.net_loops")  # None where it is not compiled: the same by NumPy, slower
fused = loaded("parcels.learn.net_fused")  # likewise; the same but for the last bits

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Labels = npt.NDArray[Any]

KIND, VERSION = "page-net", 1
DILATIONS = (1, 2, 4)
REACH = (-2, -1, 0, 1, 2)
_MOVES = np.array(REACH, np.int64)
GAP = 2 * max(DILATIONS)  # empty rows between two pages, so that no block sees another page's
CLIP = 4.0  # standard deviations
SMOOTHING = 0.03  # of the targets
TINY = 1e-5


@dataclass(frozen=True)
class Settings:
    """How a network is made and fitted."""

    width: int = 96
    epochs: int = 25
    least_steps: int = 300  # more epochs where there are so few pages that there would be fewer
    rate: float = 2e-3
    decay: float = 1e-3
    drop_input: float = 0.2
    drop: float = 0.25
    seed: int = 0


def _moved(rows: Floats, by: int) -> Floats:
    """Row i becomes row i + by; what comes in at the end is zero."""
    moved = np.zeros_like(rows)
    if by > 0:
        moved[by:] = rows[:-by]
    elif by < 0:
        moved[:by] = rows[-by:]
    else:
        moved[:] = rows
    return moved


def _normal(rows: Floats) -> tuple[Floats, Floats]:
    """Rows with mean 0 and variance 1, and what they were divided by."""
    away = rows - rows.mean(axis=1, keepdims=True)
    spread: Floats = np.sqrt((away * away).mean(axis=1, keepdims=True) + TINY)
    return away / spread, spread


def _normalised(rows: Floats) -> Floats:
    """The rows of `_normal`."""
    if loops is None or rows.dtype != np.float32:
        return _normal(rows)[0]
    found = np.empty_like(rows)
    loops.normal(rows, TINY, found)
    return found


def _activated(sums: Floats, bias: Floats) -> Floats:
    """The sums with a layer's bias, and nothing below zero."""
    if loops is None or sums.dtype != np.float32:
        above: Floats = np.maximum(sums + bias, 0)
        return above
    loops.activated(sums, bias)
    return sums


def _read(
    features: Floats, bias: Floats, moved: Floats, moves: Ints, of_groups: list[Floats], groups: list[Groups]
) -> None:
    """In place: what a layer reads of the blocks around each and of its groups, added to the features."""
    if loops is not None and features.dtype == np.float32:
        loops.read(features, bias, moved, moves, of_groups, [group.place for group in groups])
        return
    sums = np.repeat(bias[None], len(features), axis=0)
    for part, by in zip(moved, moves.tolist(), strict=True):
        if abs(by) < len(features):
            sums[max(by, 0) : len(sums) + min(by, 0)] += part[max(-by, 0) : len(part) - max(by, 0)]
    for of_group, group in zip(of_groups, groups, strict=True):
        sums += of_group[group.place]
    features += np.maximum(sums, 0)


def _normal_back(grad: Floats, normal: Floats, spread: Floats) -> Floats:
    inner = (grad * normal).mean(axis=1, keepdims=True)
    result: Floats = (grad - grad.mean(axis=1, keepdims=True) - normal * inner) / spread
    return result


@dataclass(eq=False)
class PageNet:
    """The network; what was learned ends in `_`."""

    settings: Settings = field(default_factory=Settings)
    classes_: Labels = field(init=False, repr=False)
    mean_: Floats = field(init=False, repr=False)
    scale_: Floats = field(init=False, repr=False)
    weights_: dict[str, Floats] = field(init=False, repr=False)
    _ready: Any = field(init=False, repr=False, default=None)  # the weights as `fused` reads them

    # Fitting

    def fit(
        self, pages: Sequence[PageRows], classes: Labels, tell: Callable[[str], None] = lambda line: None
    ) -> "PageNet":
        """Fit from scratch; numbers are standardised by the rows with a weight of 1 or more."""
        self.classes_ = classes
        rows = np.concatenate([page.numbers[weight_of(page) >= 1] for page in pages]).astype(np.float64)
        self.mean_, self.scale_ = rows.mean(axis=0).astype(np.float32), (rows.std(axis=0) + 1e-6).astype(np.float32)
        self.weights_ = self._fresh(pages[0].numbers.shape[1], len(pages[0].groups))
        epochs = max(
            self.settings.epochs, -(-self.settings.least_steps // len(packs_of(pages, range(len(pages)), GAP)))
        )
        return self.go_on(pages, epochs=epochs, rate=self.settings.rate, tell=tell)

    def go_on(
        self, pages: Sequence[PageRows], *, epochs: int, rate: float, tell: Callable[[str], None] = lambda line: None
    ) -> "PageNet":
        """More epochs from where it stands, the rate falling to a twentieth."""
        self._ready = None
        draws = np.random.default_rng(self.settings.seed)
        first = {name: np.zeros_like(value) for name, value in self.weights_.items()}
        second = {name: np.zeros_like(value) for name, value in self.weights_.items()}
        total, step = epochs * len(packs_of(pages, range(len(pages)), GAP)), 0
        for epoch in range(epochs):
            losses = []
            for pack in packs_of(pages, draws.permutation(len(pages)).tolist(), GAP):
                step += 1
                grads, loss = self._gradients(Batch.of([pages[n] for n in pack], self._standard, GAP), draws)
                pace = rate * min(1.0, step / 30) * max(0.05, 1 - step / total)
                self._adam(grads, first, second, step, pace)
                losses.append(loss)
            tell(f"    epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.4f}")
        return self

    def _shapes(self, columns: int, groups: int) -> dict[str, tuple[int, ...]]:
        """The shapes of the weights (rows, columns) and biases, in the order of the layers."""
        width, classes = self.settings.width, len(self.classes_)
        shapes: dict[str, tuple[int, ...]] = {"in": (columns, width), "in_bias": (width,)}
        for layer in range(len(DILATIONS)):
            shapes |= {f"layer{layer}": (width * (len(REACH) + groups), width), f"bias{layer}": (width,)}
        return shapes | {"out": (width, classes), "out_bias": (classes,)}

    def _fresh(self, columns: int, groups: int) -> dict[str, Floats]:
        draws = np.random.default_rng(self.settings.seed + 1)
        variances = {"in": 1.5, "out": 0.1}  # 0.7 in between

        def drawn(name: str, shape: tuple[int, ...]) -> Floats:
            if len(shape) == 1:
                return np.zeros(shape, np.float32)
            spread = np.sqrt(variances.get(name, 0.7) / shape[0])
            made: Floats = (draws.standard_normal(shape) * spread).astype(np.float32)
            return made

        return {name: drawn(name, shape) for name, shape in self._shapes(columns, groups).items()}

    def _adam(
        self, grads: dict[str, Floats], first: dict[str, Floats], second: dict[str, Floats], step: int, rate: float
    ) -> None:
        for name, grad in grads.items():
            first[name] += 0.1 * (grad - first[name])
            second[name] += 0.01 * (grad * grad - second[name])
            mean, square = first[name] / (1 - 0.9**step), second[name] / (1 - 0.99**step)
            self.weights_[name] *= 1 - rate * self.settings.decay
            self.weights_[name] -= rate * mean / (np.sqrt(square) + 1e-8)

    def _gradients(self, batch: Batch, draws: np.random.Generator) -> tuple[dict[str, Floats], float]:
        """One step forwards and backwards."""
        weights, real = self.weights_, batch.is_real
        assert batch.target is not None
        assert batch.weight is not None

        def kept(shape: tuple[int, ...], share: float) -> Floats:
            return ((draws.random(shape, np.float32) >= share) / (1 - share)).astype(np.float32)

        given = batch.numbers * kept(batch.numbers.shape, self.settings.drop_input)
        features = np.maximum(given @ weights["in"] + weights["in_bias"], 0) * real
        is_on = features > 0
        trail = []
        for layer, dilation in enumerate(DILATIONS):
            normal, spread = _normal(features)
            drop = kept(normal.shape, self.settings.drop) * real
            seen = self._seen(normal * drop, dilation, batch.groups)
            added = np.maximum(seen @ weights[f"layer{layer}"] + weights[f"bias{layer}"], 0) * real
            trail.append((normal, spread, drop, seen, added > 0))
            features = features + added
        normal, spread = _normal(features)
        drop = kept(normal.shape, self.settings.drop)
        last = normal * drop
        log_proba = _log_softmax(np.asarray(last @ weights["out"] + weights["out_bias"]))
        share = batch.weight[:, None] / max(float(batch.weight.sum()), TINY)
        target = (1 - SMOOTHING) * batch.target + SMOOTHING / batch.target.shape[1]
        loss = float(-(target * log_proba * share).sum())
        grad = (np.exp(log_proba) * target.sum(axis=1, keepdims=True) - target) * share
        grads = {"out": last.T @ grad, "out_bias": grad.sum(axis=0)}
        back = _normal_back((grad @ weights["out"].T) * drop, normal, spread)
        for layer in reversed(range(len(DILATIONS))):
            normal, spread, drop, seen, was_on = trail[layer]
            inner = back * was_on
            grads[f"layer{layer}"], grads[f"bias{layer}"] = seen.T @ inner, inner.sum(axis=0)
            rows = self._seen_back(inner @ weights[f"layer{layer}"].T, DILATIONS[layer], batch.groups)
            back = back + _normal_back(rows * drop, normal, spread)
        inner = back * is_on
        grads["in"], grads["in_bias"] = given.T @ inner, inner.sum(axis=0)
        return grads, loss

    @staticmethod
    def _seen(rows: Floats, dilation: int, groups: list[Groups]) -> Floats:
        """What a layer sees of each block: its neighbours and the means of its groups, side by side."""
        if loops is not None and len(rows) and rows.dtype == np.float32:
            found = np.empty((len(rows), rows.shape[1] * (len(REACH) + len(groups))), np.float32)
            orders, starts, places = ([getattr(g, of) for g in groups] for of in ("order", "starts", "place"))
            loops.seen(np.ascontiguousarray(rows), _MOVES * dilation, orders, starts, places, found)
            return found
        return np.concatenate([*(_moved(rows, dilation * by) for by in REACH), *(g.mean(rows) for g in groups)], axis=1)

    @staticmethod
    def _seen_back(grad: Floats, dilation: int, groups: list[Groups]) -> Floats:
        parts = np.split(grad, len(REACH) + len(groups), axis=1)
        total = np.zeros_like(parts[0])
        for part, by in zip(parts, REACH, strict=False):
            total += _moved(part, -dilation * by)
        for part, group in zip(parts[len(REACH) :], groups, strict=True):
            total += group.mean(part)
        return total

    # Labelling

    def predict_log_proba(self, page: PageRows) -> Floats:
        """Logarithm of each class' probability, a row a block."""
        if not len(page):
            return np.zeros((0, len(self.classes_)), np.float32)
        if self._is_fused(page):
            return _log_softmax(self._fused_scores(page))
        weights, groups = self.weights_, page.means
        features = _activated(self._standard(page.numbers) @ weights["in"], weights["in_bias"])
        for layer, dilation in enumerate(DILATIONS):
            rows, parts = _normalised(features), weights[f"layer{layer}"].reshape(-1, *features.shape[1:] * 2)
            # What is seen times the weights, part by part: a group's mean is multiplied once, not once a block.
            of_groups = [group.each(rows) @ part for group, part in zip(groups, parts[len(REACH) :], strict=True)]
            moved = np.matmul(rows, parts[: len(REACH)])
            _read(features, weights[f"bias{layer}"], moved, _MOVES * dilation, of_groups, groups)
        return _log_softmax(_normalised(features) @ weights["out"] + weights["out_bias"])

    def _is_fused(self, page: PageRows) -> bool:
        """Whether the compiled network can be taken."""
        of = self.weights_["in"]
        return fused is not None and of.dtype == np.float32 and fused.is_fit(of.shape[1], len(REACH), len(page.groups))

    def _fused_scores(self, page: PageRows) -> Floats:
        if self._ready is None:
            moves = [[dilation * by for by in REACH] for dilation in DILATIONS]
            self._ready = fused.Fused(self.mean_, self.scale_, self.weights_, moves, CLIP, TINY)
        given = page.standard.get(self._ready.reading)
        if given is None:
            numbers = page.numbers.astype(np.float32, order="C", copy=False)
            given = page.standard[self._ready.reading] = self._ready.standard(numbers)
        scores: Floats = self._ready.scores(given, page.means)
        return scores

    def _standard(self, numbers: npt.NDArray[Any]) -> Floats:
        numbers = numbers.astype(np.float32, order="C", copy=False)
        if loops is not None:
            found = np.empty_like(numbers)
            loops.standard(numbers, self.mean_, self.scale_, CLIP, found)
            return found
        standard: Floats = np.clip((numbers - self.mean_) / self.scale_, -CLIP, CLIP)
        return standard

    # Keeping

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_ready": None}  # C arrays: made again where they are needed

    def save(self, folder: Path) -> None:
        """Write `learner.json` and `arrays.npz`."""
        folder.mkdir(parents=True, exist_ok=True)
        stated = {"kind": KIND, "version": VERSION, "classes": self.classes_.tolist(), "width": self.settings.width}
        (folder / HEADER).write_text(json.dumps(stated, indent=1) + "\n")
        arrays: Arrays = {"mean": self.mean_, "scale": self.scale_, **self.weights_}
        (folder / ARRAYS).write_bytes(packed(arrays))

    @classmethod
    def load(cls, folder: Traversable, *, columns: int, groups: int) -> "PageNet":
        """Read what `save` wrote, for so many columns and groups; nothing in it is executed."""
        try:
            stated = json.loads((folder / HEADER).read_bytes())
            if (stated.get("kind"), stated.get("version")) != (KIND, VERSION):
                found = f"{stated.get('kind')}@{stated.get('version')}"
                raise ModelMismatch(f"it is {found:.80}, this code reads {KIND}@{VERSION}")
            width, classes = stated["width"], stated["classes"]
            if type(width) is not int or not 0 < width < 10_000:
                raise ModelMismatch(f"its width is {width!r:.80}")
            if not isinstance(classes, list) or sorted(set(classes)) != classes or not all(map(_is_text, classes)):
                raise ModelMismatch("its classes are not a sorted list of different names")
            arrays, net = Reader(unpacked((folder / ARRAYS).read_bytes())), cls(Settings(width=width))
            net.classes_ = np.array(classes)
            net.mean_ = arrays.take("mean", np.float32, (columns,))
            net.scale_ = arrays.take("scale", np.float32, (columns,), low=1e-7)
            shapes = net._shapes(columns, groups)
            net.weights_ = {name: arrays.take(name, np.float32, shape) for name, shape in shapes.items()}
        except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error, ModelMismatch) as error:
            raise ModelMismatch(
                f"the network in {folder} cannot be used: {error or type(error).__name__}. "
                "Copy it again from where it came from, or train it again."
            ) from error
        return net


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _log_softmax(scores: Floats) -> Floats:
    shifted = scores - scores.max(axis=1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result
