"""A learner with calibrated confidences."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.calibrate import HOTTEST, Isotonic, Temperature
from parcels.learn.folds import FOLDS, fold_of_group, out_of_fold
from parcels.learn.learner import Features, Labels, checked_fit
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.stored import Arrays, Reader, Stored, class_of
from parcels.learn.words import Floats, Words

METHODS = ("temperature", "isotonic")


@dataclass(eq=False)
class Calibrated(Stored):
    """A learner fitted on all rows, with a calibration fitted on its out-of-fold predictions.

    With fewer groups than folds, or with one class, the temperature is 1.
    """

    kind: ClassVar[str] = "calibrated"

    learner: Any = field(default_factory=NaiveBayes)
    method: str = "temperature"
    folds: int = FOLDS
    seed: int = 0

    classes_: Labels = field(init=False, repr=False)
    learner_: Any = field(init=False, repr=False)
    calibration_: Temperature | Isotonic = field(init=False, repr=False)

    @property
    def reads_numbers(self) -> bool:
        """As of the inner learner."""
        return bool(self.learner.reads_numbers)

    @property
    def reads_words(self) -> bool:
        """As of the inner learner."""
        return bool(self.learner.reads_words)

    @property
    def takes_missing(self) -> bool:
        """As of the inner learner."""
        return bool(self.learner.takes_missing)

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
        groups: npt.NDArray[Any] | None = None,
    ) -> Self:
        """Fit on each fold's complement for the calibration, then on all rows."""
        if self.method not in METHODS:
            raise ConfigError(f"Calibrated: unknown method {self.method!r}. Choose one of: {', '.join(METHODS)}")
        training = checked_fit(self.learner, numbers, words, y, sample_weight)
        rows, labels = Features(training.numbers, training.words), training.classes[training.y]
        if groups is not None and sample_weight is not None:
            groups = np.asarray(groups)[np.asarray(sample_weight) > 0]
        names = np.arange(len(labels)) if groups is None else np.asarray(groups)
        self.calibration_ = Temperature(1.0)
        if len(np.unique(names)) >= self.folds and len(training.classes) > 1:
            fold = fold_of_group(names, folds=self.folds, seed=self.seed)
            held_out = out_of_fold(lambda: replace(self.learner), rows, labels, fold, sample_weight=training.weight)
            logs = np.log(np.maximum(held_out, np.finfo(float).tiny))
            self.calibration_ = (Temperature if self.method == "temperature" else Isotonic).fitted(logs, training.y)
        self.learner_ = replace(self.learner).fit(rows.numbers, rows.words, labels, sample_weight=training.weight)
        return self._adopted()

    def _adopted(self) -> Self:
        self.classes_ = self.learner_.classes_
        self.n_numbers_, self.n_words_ = self.learner_.n_numbers_, self.learner_.n_words_
        return self

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return calibrated log-probabilities, one column per class."""
        return self.calibration_.log_proba(self.learner_.predict_log_proba(numbers, words))

    def _settings(self) -> dict[str, Any]:
        return {"method": self.method, "folds": self.folds, "seed": self.seed}

    def header(self) -> dict[str, Any]:
        """Return the header of `learner.json`, including that of the inner learner."""
        return super().header() | {"learner": self.learner_.header()}

    def _arrays(self) -> Arrays:
        inner = {f"learner.{name}": array for name, array in self.learner_._arrays().items()}
        if isinstance(self.calibration_, Temperature):
            return inner | {"temperature": np.array([self.calibration_.value])}
        points, values = self.calibration_.points, self.calibration_.values
        starts = np.cumsum([0, *map(len, points)], dtype=np.int64)
        return inner | {"starts": starts, "points": np.concatenate(points), "values": np.concatenate(values)}

    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        inner = header.get("learner")
        if not isinstance(inner, dict) or inner.get("kind") == self.kind:
            raise ModelMismatch("it does not hold a learner")
        self.learner_ = class_of(inner["kind"])._from_plain(inner, arrays.part("learner.").arrays)
        self.learner = replace(self.learner_)
        if "temperature" in arrays.arrays:
            value = arrays.take("temperature", np.float64, (1,), low=1e-3, high=2 * HOTTEST)
            self.calibration_ = Temperature(float(value[0]))
        else:
            starts = arrays.take("starts", np.int64, (len(self.learner_.classes_) + 1,), low=0)
            points = arrays.take("points", np.float64, (None,))
            values = arrays.take("values", np.float64, points.shape, low=0, high=1)
            if starts[0] != 0 or (np.diff(starts) < 1).any() or starts[-1] != len(points):
                raise ModelMismatch("the curves of its calibration do not fit together")
            cut = starts[1:-1]
            self.calibration_ = Isotonic(tuple(np.split(points, cut)), tuple(np.split(values, cut)))
        self._adopted()
