"""A model of block labels: the learners of both stages with their vocabularies, as plain data in a folder."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from parcels.errors import ModelMismatch
from parcels.features.registry import ALL, VIEWS, places, with_versions
from parcels.labels import label_set
from parcels.labels.features import BAGS, BlockViews
from parcels.learn.calibrate import Temperature
from parcels.learn.learner import Features, Labels, Learner, in_order_of, softmax
from parcels.learn.page_net import PageNet
from parcels.learn.page_rows import PageRows
from parcels.learn.stored import load_learner
from parcels.learn.words import Floats, Words
from parcels.models.registry import find_model, read_header

KIND, VERSION = "blocks", 1
KINDS = (KIND, "cotrained")  # of models that label blocks
SECOND = "second"  # the folders of the second stage's networks begin with this
GROUPS = ("parent", "list", "heading")  # whose means the second stage sees
MOST_NETS = 20
LEAST = 1e-3  # a probability below this is as good as none
UNSURE = 0.7  # below this the second stage does not overrule views that all agree
DIGITS = 4  # of a confidence


@dataclass(frozen=True)
class ViewLearner:
    """A learner of the first stage and what it reads."""

    learner: Learner
    numbers: tuple[str, ...]
    bags: tuple[str, ...]


@dataclass(frozen=True)
class Prediction:
    """The labels that a model predicts: probabilities, one row per block and one column per label."""

    labels: Labels
    proba: Floats
    views: dict[str, Floats]

    def best(self) -> list[tuple[str, float]]:
        """The label and confidence of each block."""
        return _best(self.labels, self.proba)

    def votes(self) -> dict[str, list[tuple[str, float]]]:
        """Return the label and confidence of each block, by view of the first stage."""
        return {name: _best(self.labels, proba) for name, proba in self.views.items()}


def _best(labels: Labels, proba: Floats) -> list[tuple[str, float]]:
    """Return the label of each row's largest probability, and that probability, rounded.

    >>> _best(np.array(["main", "menu"]), np.array([[0.25, 0.75], [0.98766, 0.01234]]))
    [('menu', 0.75), ('main', 0.9877)]
    """
    if not len(proba):
        return []
    proba = np.asarray(proba, np.float64)  # rounded in 32 bits a confidence would have more digits
    place, names = proba.argmax(axis=1), labels.tolist()
    sure = proba[np.arange(len(proba)), place]
    return list(zip([names[at] for at in place.tolist()], sure.round(DIGITS).tolist(), strict=True))


def _with_unanimous_views(proba: Floats, views: list[Floats]) -> Floats:
    """Return the probabilities with the label on which all views agree first, where the second stage is unsure.

    >>> unsure, views = np.array([[0.2, 0.45, 0.35]]), [np.array([[0.8, 0.1, 0.1]])] * 2
    >>> _with_unanimous_views(unsure, views).tolist(), _with_unanimous_views(np.array([[0.2, 0.8, 0]]), views).tolist()
    ([[0.45, 0.2, 0.35]], [[0.2, 0.8, 0.0]])
    """
    place, agreed = proba.argmax(axis=1), views[0].argmax(axis=1)
    rows = np.flatnonzero(place != agreed)
    rows = rows[proba[rows, place[rows]] < UNSURE]
    for view in views[1:]:
        rows = rows[view[rows].argmax(axis=1) == agreed[rows]]
    proba[rows, place[rows]], proba[rows, agreed[rows]] = proba[rows, agreed[rows]], proba[rows, place[rows]]
    return proba


class LabelModel(Protocol):
    """A model that labels the blocks of measured pages."""

    def predict(self, page: BlockViews) -> Prediction:
        """Label the blocks of a page."""


@dataclass(frozen=True)
class BlockModel:
    """Labels blocks of measured pages."""

    labels: Labels
    vocabularies: dict[str, dict[str, int]]  # of each bag
    parts: dict[str, ViewLearner]
    second_numbers: tuple[str, ...]
    second: tuple[PageNet, ...]  # whose log-probabilities are averaged
    temperature: float
    meta: dict[str, Any]  # what model.json says beyond this: data, scores, licence
    features: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: ALL)  # it was trained on, by view

    def predict(self, page: BlockViews) -> Prediction:
        """Label the blocks of a page."""
        page = page.with_features(self.places)
        first = self.first(page)
        if not len(page):
            return Prediction(self.labels, np.zeros((0, len(self.labels))), first)
        log_proba = averaged(self.second, second_rows(page, first, self.second_numbers))
        proba = np.exp(Temperature(self.temperature).log_proba(log_proba))
        return Prediction(self.labels, _with_unanimous_views(proba, list(first.values())), first)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where its features are among those of this code, in views that have more."""
        return places(self.features)

    @property
    def second_names(self) -> list[str]:
        """The names of the columns that the second stage reads."""
        own = [f"{view}.{of.partition('@')[0]}" for view in self.second_numbers for of in self.features[view]]
        return [*own, *(f"{name} says {label}" for name in self.parts for label in self.labels.tolist())]

    @cached_property
    def alike(self) -> list[str]:
        """The parts whose probabilities are the softmax of scores of all labels."""
        return [
            name
            for name, part in self.parts.items()
            if getattr(part.learner, "is_softmax", False) and part.learner.classes_.tolist() == self.labels.tolist()
        ]

    def first(self, page: BlockViews) -> dict[str, Floats]:
        """Return the probabilities of each learner of the first stage."""
        words = {bag: page.counted(bag, self.vocabularies[bag]) for bag in BAGS}
        numbers = Numbers(page)
        # One softmax for all: each row's is its own. In 32 bits, since the next stage reads no more.
        scores = [_scores(self.parts[name], numbers, words) for name in self.alike]
        proba: Any = softmax(np.concatenate(scores, dtype=np.float32)) if scores else np.zeros((0, len(self.labels)))
        found = {name: proba[n * len(page) : (n + 1) * len(page)] for n, name in enumerate(self.alike)}
        return {
            name: found[name] if name in found else first_stage(part, numbers, words, self.labels)
            for name, part in self.parts.items()
        }

    def save(self, folder: Path) -> None:
        """Write the model's folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, part in self.parts.items():
            part.learner.save(folder / name)
        for number, net in enumerate(self.second):
            net.save(folder / f"{SECOND}{number}")
        for bag, vocabulary in self.vocabularies.items():
            (folder / f"{bag}.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.__getitem__)), "utf-8")
        stated = {
            "kind": KIND,
            "version": VERSION,
            "labels": self.labels.tolist(),
            "label_set": {"name": "news17", "fingerprint": label_set().fingerprint},
            "parts": {name: {"numbers": part.numbers, "bags": part.bags} for name, part in self.parts.items()},
            "second_numbers": self.second_numbers,
            "second": len(self.second),
            "features": self.features,
            "temperature": self.temperature,
            **self.meta,
        }
        (folder / "model.json").write_text(json.dumps(stated, indent=1) + "\n", "utf-8")


class Numbers:
    """The numbers of all views of a page in 64 bits, side by side; what learners read of them is not copied again."""

    def __init__(self, page: BlockViews):
        self._all: Floats = np.concatenate(list(page.numbers.values()), axis=1, dtype=np.float64)
        ends = accumulate(view.shape[1] for view in page.numbers.values())
        self._end = dict(zip(page.numbers, ends, strict=True))
        self._width = {view: numbers.shape[1] for view, numbers in page.numbers.items()}

    def of(self, views: tuple[str, ...]) -> Floats:
        """The columns of some views."""
        parts = [slice(self._end[view] - self._width[view], self._end[view]) for view in views]
        if all(one.stop == two.start for one, two in pairwise(parts)):
            return self._all[:, parts[0].start : parts[-1].stop]
        return np.concatenate([self._all[:, part] for part in parts], axis=1)


def first_stage(part: ViewLearner, numbers: Numbers, words: Mapping[str, Words], labels: Labels) -> Floats:
    """Return the probabilities of one learner, with columns in the order of `labels`."""
    rows = _rows(part, numbers, words)
    proba = part.learner.predict_proba(rows.numbers, rows.words)
    return in_order_of(labels, proba, part.learner.classes_)


def _scores(part: ViewLearner, numbers: Numbers, words: Mapping[str, Words]) -> Floats:
    rows = _rows(part, numbers, words)
    learner: Any = part.learner
    scores: Floats = learner.scores(rows.numbers, rows.words)
    return scores


def _rows(part: ViewLearner, numbers: Numbers, words: Mapping[str, Words]) -> Features:
    return reading(numbers.of(part.numbers) if part.numbers else None, words, part.bags)


def reading(numbers: Floats | None, words: Mapping[str, Words], bags: tuple[str, ...]) -> Features:
    """The rows that a learner of the first stage reads."""
    beside = None
    for bag in bags:
        beside = words[bag] if beside is None else beside.and_beside(words[bag])
    return Features.of(numbers, beside)


def bags_of(pages: Iterable[BlockViews], vocabularies: Mapping[str, Mapping[str, int]]) -> dict[str, Words]:
    """The words of pages' blocks, by vocabulary."""
    pages = list(pages)
    found = {}
    for bag in BAGS:
        rows = [row for page in pages for row in getattr(page, bag)]
        found[bag] = Words.from_counts(rows, vocabularies[bag])
    return found


def second_rows(page: BlockViews, first: Mapping[str, Floats], numbers: tuple[str, ...]) -> PageRows:
    """Return the inputs of the second stage: numbers of the views and probabilities of the first stage, of a page."""
    log_proba = np.log(np.concatenate(list(first.values()), axis=1, dtype=np.float32) + np.float32(LEAST))
    rows = np.concatenate([page.beside(*numbers), log_proba], axis=1, dtype=np.float32)
    return PageRows(rows, tuple(page.groups[group] for group in GROUPS))


def averaged(nets: Sequence[PageNet], rows: PageRows) -> Floats:
    """The mean log-probabilities of several networks: what one of them takes for granted, the others may not."""
    total = nets[0].predict_log_proba(rows).astype(np.float64)
    for net in nets[1:]:
        total += net.predict_log_proba(rows)
    total /= len(nets)
    return total


def open_model(folder: Traversable) -> BlockModel:
    """Open a model's folder; raises ModelMismatch for what is none, of another version, or does not fit this code."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            found = f"{KIND}@{stated.get('version')}"
            raise ModelMismatch(f"it is {found:.80}, this code reads {KIND}@{VERSION}")
        features = {view: with_versions(stated["features"].get(view, ())) for view in VIEWS}
        places(features)
        vocabularies = {bag: _vocabulary((folder / f"{bag}.txt").read_text("utf-8")) for bag in BAGS}
        labels = np.array(stated["labels"], dtype=str)
        parts = {
            name: ViewLearner(load_learner(folder / name), _views(part["numbers"]), _bags(part["bags"]))
            for name, part in _plain_names(stated["parts"]).items()
        }
        numbers, temperature = _views(stated["second_numbers"]), float(stated["temperature"])
        columns = sum(len(features[view]) for view in numbers) + len(parts) * len(labels)
        second = tuple(
            PageNet.load(folder / f"{SECOND}{number}", columns=columns, groups=len(GROUPS))
            for number in range(_count(stated["second"]))
        )
        model = BlockModel(labels, vocabularies, parts, numbers, second, temperature, {}, features)
        _check_widths(model)
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UnicodeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error
    return model


_AGAIN = "\nTrain it again (parcels train blocks --data ... --out MODELDIR), or install parcels anew."


def _count(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= MOST_NETS:
        raise ModelMismatch(f"it has {value!r:.80} networks")
    return value


def _plain_names(parts: Any) -> dict[str, Any]:
    if not isinstance(parts, dict) or not all(str(name).isidentifier() for name in parts):
        raise ModelMismatch("its parts are not named by plain words")
    return parts


def _views(names: Any) -> tuple[str, ...]:
    return _among(names, VIEWS)


def _bags(names: Any) -> tuple[str, ...]:
    return _among(names, BAGS)


def _among(names: Any, known: Iterable[str]) -> tuple[str, ...]:
    if not isinstance(names, list) or not set(names) <= set(known):
        raise ModelMismatch(f"it reads {names!r:.80}; this code has {', '.join(known)}")
    return tuple(names)


def _vocabulary(text: str) -> dict[str, int]:
    words = text.split("\n") if text else []
    places = {word: place for place, word in enumerate(words)}
    if len(places) < len(words):  # the places of some would lie behind the last weight
        raise ModelMismatch("its vocabulary has a word twice")
    return places


def _check_widths(model: BlockModel) -> None:
    """Refuse learners that do not fit the vocabularies and views around them."""
    for name, part in model.parts.items():
        numbers = sum(len(model.features[view]) for view in part.numbers)
        words = sum(len(model.vocabularies[bag]) for bag in part.bags)
        _fits(name, part.learner, numbers, words, model.labels)
    if any(net.classes_.tolist() != model.labels.tolist() for net in model.second):
        raise ModelMismatch("its second stage knows other labels than the model")
    if not 0.01 <= model.temperature <= 100:
        raise ModelMismatch(f"its temperature is {model.temperature}")


def _fits(name: str, learner: Any, numbers: int, words: int, labels: Labels) -> None:
    if (learner.n_numbers_, learner.n_words_) != (numbers, words):
        raise ModelMismatch(
            f"its part '{name}' reads {learner.n_numbers_} numbers and {learner.n_words_} words, "
            f"not {numbers} and {words}"
        )
    if not set(learner.classes_.tolist()) <= set(labels.tolist()):
        raise ModelMismatch(f"its part '{name}' knows labels that the model does not")


def open_block_model(folder: Traversable) -> LabelModel:
    """Open the folder of a model that labels blocks, trained by `parcels train blocks` or by co-training."""
    if read_header(folder, *KINDS)["kind"] == KIND:
        return open_model(folder)
    from parcels.labels.cotrained import open_cotrained

    return open_cotrained(folder)


@cache
def model_at(path: str) -> LabelModel:
    """Open a shipped model by its name, or any model by its folder; once per process."""
    return open_block_model(find_model(path, *KINDS))
