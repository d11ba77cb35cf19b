"""A small neural network over the blocks of a page: the label of a block depends on the blocks around it.

One layer turns a block's numbers into features. Then each of three residual layers adds a function of the blocks up to
2, 4 and 8 places before and after it, and of the mean of each group (list, parent, heading) that the block belongs to.
The network is trained by Adam with dropout, in NumPy alone: the gradients of its few layers are written out here.
"""

import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.common.output import Log, log_nothing
from parcels.errors import ModelMismatch
from parcels.learn.learner import log_softmax
from parcels.learn.network import add_bias, add_rows, normalise, place_neighbours
from parcels.learn.page_rows import Batch, Groups, PageRows, packs_of, weight_of
from parcels.learn.stored import ARRAYS, BROKEN, HEADER, Arrays, Reader, packed, unpacked

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Labels = npt.NDArray[Any]
Dropout = Callable[[tuple[int, ...]], Floats]  # returns the factors for values of a shape; 0 drops a value

KIND, VERSION = "page-net", 1
DILATIONS = (1, 2, 4)
REACH = (-2, -1, 0, 1, 2)
GAP = 2 * max(DILATIONS)  # empty rows between two pages, so that no block sees another page's
CLIP = 4.0  # standard deviations
SMOOTHING = 0.03  # label smoothing
TINY = 1e-5


@dataclass(frozen=True)
class NetSettings:
    """The size of a network, and the settings of its training."""

    width: int = 96
    epochs: int = 25
    least_steps: int = 300  # training on few pages takes more epochs to reach this
    rate: float = 2e-3
    decay: float = 1e-3
    drop_input: float = 0.2
    drop: float = 0.25
    seed: int = 0


class Normal(NamedTuple):
    """Normalised rows of features, and the values that their gradients need."""

    rows: Floats  # with mean 0 and variance 1
    spread: Floats  # their standard deviations before
    drop: Floats | None  # dropout factors; None without dropout
    output: Floats  # the rows after dropout: the input of the next layer


class Layer(NamedTuple):
    """The values of one layer in a forward pass."""

    normal: Normal
    near: Floats  # the rows of each block's neighbours, side by side
    means: list[Floats]  # of each kind of groups, one row per group
    added: Floats  # the output, which is added to the features


class Forward(NamedTuple):
    """The values of a forward pass. Labels need only the scores, gradients need all."""

    entry: Floats  # the output of the first layer
    layers: list[Layer]
    last: Normal
    scores: Floats  # one row per block, one column per class


def _normal(features: Floats, draw: Dropout | None = None) -> Normal:
    """Return rows with mean 0 and variance 1, with dropout."""
    rows, spread = np.empty_like(features), np.empty((len(features), 1), np.float32)
    normalise(features, rows, spread[:, 0])
    drop = draw(rows.shape) if draw else None
    return Normal(rows, spread, drop, rows if drop is None else rows * drop)


def _neighbours(rows: Floats, dilation: int) -> Floats:
    """Return for each row the rows around it, side by side, with zeros beyond the ends."""
    near = np.empty((len(rows), len(REACH) * rows.shape[1]), np.float32)
    place_neighbours(rows, dilation, near)
    return near


def _neighbours_back(grad: Floats, dilation: int) -> Floats:
    """Return the gradient of the rows from that of their neighbours."""
    parts = grad.reshape(len(grad), len(REACH), -1)
    total = np.zeros((len(grad), parts.shape[2]), np.float32)
    for part, by in enumerate(REACH):
        step = dilation * by
        if abs(step) < len(grad):
            total[max(-step, 0) : len(grad) - max(step, 0)] += parts[max(step, 0) : len(grad) + min(step, 0), part]
    return total


def _normal_back(grad: Floats, of: Normal) -> Floats:
    """Return the gradient of the features from that of their normalised rows."""
    grad = grad if of.drop is None else grad * of.drop
    inner = (grad * of.rows).mean(axis=1, keepdims=True)
    result: Floats = (grad - grad.mean(axis=1, keepdims=True) - of.rows * inner) / of.spread
    return result


@dataclass(eq=False)
class PageNet:
    """The network. Learned attributes end in `_`."""

    settings: NetSettings = field(default_factory=NetSettings)
    classes_: Labels = field(init=False, repr=False)
    mean_: Floats = field(init=False, repr=False)
    scale_: Floats = field(init=False, repr=False)
    weights_: dict[str, Floats] = field(init=False, repr=False)

    # Fitting

    def fit(self, pages: Sequence[PageRows], classes: Labels, log: Log = log_nothing) -> "PageNet":
        """Fit from scratch; numbers are standardised by the rows with a weight of 1 or more."""
        self.classes_ = classes
        rows = np.concatenate([page.numbers[weight_of(page) >= 1] for page in pages]).astype(np.float64)
        self.mean_, self.scale_ = rows.mean(axis=0).astype(np.float32), (rows.std(axis=0) + 1e-6).astype(np.float32)
        self.weights_ = self._fresh(pages[0].numbers.shape[1], len(pages[0].groups))
        epochs = max(
            self.settings.epochs, -(-self.settings.least_steps // len(packs_of(pages, range(len(pages)), GAP)))
        )
        return self.go_on(pages, epochs=epochs, rate=self.settings.rate, log=log)

    def go_on(self, pages: Sequence[PageRows], *, epochs: int, rate: float, log: Log = log_nothing) -> "PageNet":
        """Continue training; the learning rate falls linearly to a twentieth."""
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
            log(f"    epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.4f}")
        return self

    def _shapes(self, columns: int, groups: int) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the weights (rows, columns) and biases, in the order of the layers."""
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

    def _forward(
        self, given: Floats, groups: list[Groups], draw: Dropout | None = None, is_real: Floats | None = None
    ) -> Forward:
        """Compute the scores of standardised rows. In training, `is_real` is 0 for the rows between pages."""
        weights, layers = self.weights_, []
        features = entry = _relu(given @ weights["in"], weights["in_bias"], is_real)
        for layer, dilation in enumerate(DILATIONS):
            normal = _normal(features, draw)
            of_near, of_means = self._parts(layer)
            near, means = _neighbours(normal.output, dilation), [group.each(normal.output) for group in groups]
            sums = near @ of_near
            for mean, part, group in zip(means, of_means, groups, strict=True):
                add_rows(sums, mean @ part, group.place)  # one product per group, not per block
            added = _relu(sums, weights[f"bias{layer}"], is_real)
            layers.append(Layer(normal, near, means, added))
            features = features + added
        last = _normal(features, draw)
        return Forward(entry, layers, last, last.output @ weights["out"] + weights["out_bias"])

    def _parts(self, layer: int) -> tuple[Floats, list[Floats]]:
        """Return a layer's weights for the neighbours, and for each kind of groups."""
        weights, width = self.weights_[f"layer{layer}"], self.settings.width
        places = range(len(REACH) * width, len(weights), width)
        return weights[: len(REACH) * width], [weights[place : place + width] for place in places]

    def _gradients(self, batch: Batch, draws: np.random.Generator) -> tuple[dict[str, Floats], float]:
        """Return the gradient of each weight and the loss, by one forward and backward pass."""
        weights = self.weights_
        assert batch.target is not None
        assert batch.weight is not None

        def kept(shape: tuple[int, ...], share: float) -> Floats:
            return ((draws.random(shape, np.float32) >= share) / (1 - share)).astype(np.float32)

        def draw(shape: tuple[int, ...]) -> Floats:
            return kept(shape, self.settings.drop) * batch.is_real

        given = batch.numbers * kept(batch.numbers.shape, self.settings.drop_input)
        entry, layers, last, scores = self._forward(given, batch.groups, draw, batch.is_real)
        log_proba = log_softmax(scores)
        share = batch.weight[:, None] / max(float(batch.weight.sum()), TINY)
        target = (1 - SMOOTHING) * batch.target + SMOOTHING / batch.target.shape[1]
        loss = float(-(target * log_proba * share).sum())
        grad = (np.exp(log_proba) * target.sum(axis=1, keepdims=True) - target) * share
        grads = {"out": last.output.T @ grad, "out_bias": grad.sum(axis=0)}
        back = _normal_back(grad @ weights["out"].T, last)
        for number in reversed(range(len(DILATIONS))):
            layer, (of_near, of_means) = layers[number], self._parts(number)
            inner = back * (layer.added > 0)
            of_parts = [layer.near.T @ inner]
            rows = _neighbours_back(inner @ of_near.T, DILATIONS[number])
            for mean, part, group in zip(layer.means, of_means, batch.groups, strict=True):
                of_group = group.each(inner)
                of_parts.append((mean * group.sizes).T @ of_group)
                add_rows(rows, of_group @ part.T, group.place)
            grads[f"layer{number}"], grads[f"bias{number}"] = np.concatenate(of_parts), inner.sum(axis=0)
            back = back + _normal_back(rows, layer.normal)
        inner = back * (entry > 0)
        grads["in"], grads["in_bias"] = given.T @ inner, inner.sum(axis=0)
        return grads, loss

    # Prediction

    def predict_log_proba(self, page: PageRows) -> Floats:
        """Return log-probabilities, one row per block, one column per class."""
        if not len(page):
            return np.zeros((0, len(self.classes_)), np.float32)
        key = self.mean_.tobytes() + self.scale_.tobytes()
        if key not in page.standard:
            page.standard[key] = self._standard(page.numbers)
        return log_softmax(self._forward(page.standard[key], page.means).scores)

    def _standard(self, numbers: npt.NDArray[Any]) -> Floats:
        """Return standardised numbers, clipped to CLIP; NaN stays NaN."""
        standard: Floats = np.subtract(numbers, self.mean_, order="C", dtype=np.float32, casting="same_kind")
        standard /= self.scale_
        return standard.clip(-CLIP, CLIP, out=standard)

    # Storage

    def save(self, folder: Path) -> None:
        """Write `learner.json` and `arrays.npz`."""
        folder.mkdir(parents=True, exist_ok=True)
        stated = {"kind": KIND, "version": VERSION, "classes": self.classes_.tolist(), "width": self.settings.width}
        (folder / HEADER).write_text(json.dumps(stated, indent=1) + "\n")
        arrays: Arrays = {"mean": self.mean_, "scale": self.scale_, **self.weights_}
        (folder / ARRAYS).write_bytes(packed(arrays))

    @classmethod
    def load(cls, folder: Traversable, *, columns: int, groups: int) -> "PageNet":
        """Load a network for the given numbers of columns and groups; nothing in it is executed."""
        try:
            stated = json.loads((folder / HEADER).read_bytes())
            if (stated.get("kind"), stated.get("version")) != (KIND, VERSION):
                stored_kind = f"{stated.get('kind')}@{stated.get('version')}"
                raise ModelMismatch(f"it is {stored_kind:.80}, this code reads {KIND}@{VERSION}")
            width, classes = stated["width"], stated["classes"]
            if type(width) is not int or not 0 < width < 10_000:
                raise ModelMismatch(f"its width is {width!r:.80}")
            if not isinstance(classes, list) or sorted(set(classes)) != classes or not all(map(_is_text, classes)):
                raise ModelMismatch("its classes are not a sorted list of different names")
            arrays, net = Reader(unpacked((folder / ARRAYS).read_bytes())), cls(NetSettings(width=width))
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


def _relu(sums: Floats, bias: Floats, is_real: Floats | None) -> Floats:
    """Apply bias and ReLU to a layer's sums in place, and set rows between pages to zero."""
    add_bias(sums, bias)
    if is_real is not None:
        sums *= is_real
    return sums
