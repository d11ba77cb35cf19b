"""Define the model made by co-training: one learner per view and one vocabulary, as plain data in a store."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

from parcels.errors import ModelMismatch
from parcels.features.registry import ALL, places, with_versions
from parcels.labels import label_set
from parcels.labels.features import BlockViews
from parcels.labels.model import Prediction
from parcels.learn.combine import COMBINATIONS
from parcels.learn.learner import Features, Labels, Learner, in_order_of
from parcels.learn.stored import learner_from_bytes, unpacked
from parcels.learn.words import Words
from parcels.models.registry import read_header

KIND, VERSION = "cotrained", 1
VOCABULARY = "terms.txt"


@dataclass(frozen=True)
class View:
    """The inputs of one learner: numbers of some views, and words if it reads them."""

    numbers: tuple[str, ...]  # views of parcels.labels.features
    has_words: bool


VIEWS = {"stylistic": View(("style", "context"), False), "lexical": View(("lexical",), True)}
FEATURES = {own: ALL[own] for view in VIEWS.values() for own in view.numbers}  # that its views read


@dataclass(frozen=True)
class CoTrained:
    """A model that labels each block by its most confident view."""

    labels: Labels
    vocabulary: Mapping[str, int]
    learners: Mapping[str, Learner]
    combination: str
    features: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: FEATURES)  # it was trained on, by view

    def predict(self, page: BlockViews) -> Prediction:
        """Label the blocks of a page."""
        return self.predict_rows(self.rows(page))

    def rows(self, page: BlockViews) -> dict[str, Features]:
        """Return what each learner reads of a page, one row per block."""
        page = page.with_features(places(self.features))
        return {
            name: Features.of(
                page.beside(*VIEWS[name].numbers),
                Words.from_counts(page.terms, self.vocabulary) if VIEWS[name].has_words else None,
            )
            for name in self.learners
        }

    def predict_rows(self, rows: Mapping[str, Features]) -> Prediction:
        """Label blocks by what the learners read of them."""
        log_proba = {
            name: learner.predict_log_proba(rows[name].numbers, rows[name].words)
            for name, learner in self.learners.items()
        }
        classes = next(iter(self.learners.values())).classes_
        views = {name: in_order_of(self.labels, np.exp(log), classes) for name, log in log_proba.items()}
        both = COMBINATIONS[self.combination](list(log_proba.values()))
        return Prediction(self.labels, in_order_of(self.labels, np.exp(both), classes), views)

    def parts(self, stated: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
        """Yield the files of the model's folder; model.json comes last: if it exists, the folder is complete."""
        for name, learner in self.learners.items():
            yield f"{name}.npz", learner.to_bytes()
        yield VOCABULARY, "\n".join(sorted(self.vocabulary, key=self.vocabulary.__getitem__)).encode()
        about = {
            "kind": KIND,
            "version": VERSION,
            "labels": self.labels.tolist(),
            "label_set": {"name": "news17", "fingerprint": label_set().fingerprint},
            "views": list(self.learners),
            "combination": self.combination,
            "features": self.features,
            "hash": self.fingerprint(),
            **stated,
        }
        yield "model.json", json.dumps(about, indent=1).encode() + b"\n"

    def fingerprint(self) -> str:
        """Return a hash that is equal for models with equal predictions."""
        return model_hash(list(self.learners.values()), self.vocabulary)


def model_hash(learners: Sequence[Learner], vocabulary: Mapping[str, int]) -> str:
    """Return a hash of the contents of learners and vocabulary: compressed files may differ between Pythons."""
    digest = hashlib.sha256("\n".join(sorted(vocabulary, key=vocabulary.__getitem__)).encode())
    for learner in learners:
        for name, array in unpacked(learner.to_bytes()).items():
            digest.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()[:16]


def open_cotrained(folder: Traversable) -> CoTrained:
    """Open the folder of a co-trained model; ModelMismatch for anything else."""
    stated = read_header(folder, KIND)
    try:
        if stated.get("version") != VERSION:
            raise ModelMismatch(f"it is {KIND}@{stated.get('version')}, this code reads {KIND}@{VERSION}")
        features = {view: with_versions(stated["features"].get(view, ())) for view in FEATURES}
        places(features)
        learners = {name: learner_from_bytes((folder / f"{name}.npz").read_bytes()) for name in stated["views"]}
        if not learners or not learners.keys() <= VIEWS.keys() or stated["combination"] not in COMBINATIONS:
            raise ModelMismatch(f"it has the views {', '.join(learners)}; this code has {', '.join(VIEWS)}")
        words = (folder / VOCABULARY).read_text("utf-8").split("\n")
        vocabulary = {word: place for place, word in enumerate(words)}
        _check_widths(learners, features, len(vocabulary), stated["labels"])
        return CoTrained(np.array(stated["labels"], dtype=str), vocabulary, learners, stated["combination"], features)
    except ModelMismatch as error:
        raise ModelMismatch(f"the model at {folder} cannot be used: {error}{_AGAIN}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise ModelMismatch(f"the model at {folder} cannot be used: {what:.300}{_AGAIN}") from error


_AGAIN = "\nTrain it again: parcels run cotrain --store STORE --name NAME"


def _check_widths(
    learners: Mapping[str, Any], features: Mapping[str, tuple[str, ...]], words: int, labels: Any
) -> None:
    """Refuse learners that do not fit the vocabulary, the views and the labels around them."""
    for name, learner in learners.items():
        view = VIEWS[name]
        expected = sum(len(features[one]) for one in view.numbers), words if view.has_words else 0
        if (learner.n_numbers_, learner.n_words_) != expected:
            actual = f"{learner.n_numbers_} numbers and {learner.n_words_} words"
            raise ModelMismatch(f"its view '{name}' reads {actual}, not {expected[0]} and {expected[1]}")
        if learner.classes_.tolist() != labels:
            raise ModelMismatch(f"its view '{name}' knows other labels than the model")
