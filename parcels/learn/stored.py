"""Learners as plain data: a JSON header and arrays, which are checked when they are read and never executed.

A folder holds `learner.json` (kind, version, settings, classes) and `arrays.npz`; `to_bytes` puts both into one npz.
"""

import dataclasses
import io
import json
import zipfile
import zlib
from abc import ABC, abstractmethod
from importlib import import_module
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from parcels.errors import ModelMismatch
from parcels.learn.learner import Labels, Training
from parcels.learn.words import Floats, Words

HEADER, ARRAYS = "learner.json", "arrays.npz"
MOST_BYTES = 500_000_000  # of all unpacked arrays of a learner: a bound on the memory that a file can cost
KINDS = {  # the class of each kind: an explicit table, so that a file cannot choose what is imported
    "boostexter": ("parcels.learn.boostexter", "BoosTexter"),
    "naive-bayes": ("parcels.learn.naive_bayes", "NaiveBayes"),
    "linear": ("parcels.learn.linear", "Linear"),
    "trees": ("parcels.learn.trees", "Trees"),
    "calibrated": ("parcels.learn.calibrated", "Calibrated"),
}
Arrays = dict[str, npt.NDArray[Any]]
BROKEN = (OSError, ValueError, KeyError, EOFError, TypeError, MemoryError, NotImplementedError, RecursionError)


class Reader:
    """Access to the arrays of a file. Raises ModelMismatch for arrays of an unexpected type, shape or range."""

    def __init__(self, arrays: Arrays):
        self.arrays = arrays

    def take(
        self,
        name: str,
        dtype: type,
        shape: tuple[int | None, ...],
        *,
        low: float | None = None,
        high: float | None = None,
    ) -> npt.NDArray[Any]:
        """Return an array; None in `shape` is any length, `low` and `high` are inclusive.

        >>> Reader({"a": np.arange(3)}).take("a", np.int64, (3,), low=0, high=2)
        array([0, 1, 2])
        """
        array = self.arrays.get(name)
        if array is None:
            raise ModelMismatch(f"the array {name} is missing")
        if array.dtype != np.dtype(dtype):
            raise ModelMismatch(f"the array {name} holds {array.dtype} instead of {np.dtype(dtype)}")
        if array.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, array.shape, strict=True)):
            raise ModelMismatch(f"the array {name} has the shape {array.shape} instead of {shape}")
        if array.size and array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelMismatch(f"the array {name} holds NaN or infinity")
        if array.size and ((low is not None and array.min() < low) or (high is not None and array.max() > high)):
            raise ModelMismatch(f"the array {name} goes beyond {low} to {high}")
        return array

    def part(self, prefix: str) -> "Reader":
        """Return the arrays of an inner learner."""
        return Reader({name.removeprefix(prefix): a for name, a in self.arrays.items() if name.startswith(prefix)})


class Stored(ABC):
    """Saving and loading of a learner: a dataclass whose fields are its settings.

    A subclass has a `kind` and a `version` (raised when the meaning of its arrays changes), returns its arrays and
    restores itself from them.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    classes_: Labels
    n_numbers_: int
    n_words_: int

    def _seen(self, training: Training) -> None:
        self.classes_ = training.classes
        self.n_numbers_, self.n_words_ = training.numbers.shape[1], training.words.width

    @abstractmethod
    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log-probabilities, one column per class."""

    def predict_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return probabilities, one column per class."""
        proba: Floats = np.exp(self.predict_log_proba(numbers, words))
        return proba

    @abstractmethod
    def _arrays(self) -> Arrays:
        """Return the learned arrays by name."""

    @abstractmethod
    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        """Restore the learned values from a file's header and arrays."""

    def _settings(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.init}  # type: ignore[arg-type]

    @classmethod
    def _from_settings(cls, settings: dict[str, Any]) -> Self:
        for field in dataclasses.fields(cls):  # type: ignore[arg-type]
            if field.init and field.name in settings and not _is_like(settings[field.name], field.default):
                raise ModelMismatch(f"the setting {field.name} is {settings[field.name]!r:.80}")
        return cls(**settings)

    def header(self) -> dict[str, Any]:
        """Return the content of `learner.json`."""
        return {
            "kind": self.kind,
            "version": self.version,
            "settings": self._settings(),
            "classes": self.classes_.tolist(),
            "n_numbers": self.n_numbers_,
            "n_words": self.n_words_,
        }

    def save(self, folder: Path) -> None:
        """Write `learner.json` and `arrays.npz`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / HEADER).write_text(json.dumps(self.header(), indent=1) + "\n")
        (folder / ARRAYS).write_bytes(packed(self._arrays()))

    def to_bytes(self) -> bytes:
        """Return header and arrays as one npz."""
        header = np.frombuffer(json.dumps(self.header()).encode(), np.uint8)
        return packed({**self._arrays(), HEADER: header})

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """Load a learner that `save` wrote."""
        try:
            header = json.loads((folder / HEADER).read_bytes())
            return cls._from_plain(header, unpacked((folder / ARRAYS).read_bytes()))
        except (*BROKEN, zipfile.BadZipFile, zlib.error, ModelMismatch) as error:
            raise _mismatch(str(folder), error) from error

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Load a learner from the result of `to_bytes`."""
        try:
            arrays = unpacked(data)
            return cls._from_plain(json.loads(arrays.pop(HEADER).tobytes()), arrays)
        except (*BROKEN, zipfile.BadZipFile, zlib.error, ModelMismatch) as error:
            raise _mismatch(f"{len(data)} bytes", error) from error

    @classmethod
    def _from_plain(cls, header: Any, arrays: Arrays) -> Self:
        if not isinstance(header, dict) or not isinstance(header.get("settings"), dict):
            raise ModelMismatch("the header is not one of a learner")
        if header.get("kind") != cls.kind or header.get("version") != cls.version:
            stored_kind = f"{header.get('kind')}@{header.get('version')}"
            raise ModelMismatch(f"it is {stored_kind:.80}, this code reads {cls.kind}@{cls.version}")
        classes: Any = header.get("classes")
        types = {type(label) for label in classes} if isinstance(classes, list) else set()
        if types not in ({str}, {int}) or sorted(set(classes)) != classes:
            raise ModelMismatch("its classes are not a sorted list of different names")
        widths = header.get("n_numbers"), header.get("n_words")
        if not all(type(width) is int and 0 <= width < 2**31 for width in widths):
            raise ModelMismatch(f"its numbers of columns are {widths!r:.80}")
        learner = cls._from_settings(header["settings"])
        learner.classes_ = np.array(classes)
        learner.n_numbers_, learner.n_words_ = header["n_numbers"], header["n_words"]
        learner._restore(header, Reader(arrays))
        return learner


def class_of(kind: Any) -> type[Stored]:
    """Return the class of a kind of learner."""
    if kind not in KINDS:
        raise ModelMismatch(f"unknown kind of learner {kind!r:.80}; known kinds: {', '.join(KINDS)}")
    module, name = KINDS[kind]
    learner: type[Stored] = getattr(import_module(module), name)
    return learner


def load_learner(folder: Traversable) -> Any:
    """Load a learner of the kind that its header names."""
    try:
        kind = json.loads((folder / HEADER).read_bytes()).get("kind")
        learner = class_of(kind)
    except (*BROKEN, AttributeError, ModelMismatch) as error:
        raise _mismatch(str(folder), error) from error
    return learner.load(folder)


def learner_from_bytes(data: bytes) -> Any:
    """Load a learner of any kind from the result of `to_bytes`."""
    try:
        kind = json.loads(unpacked(data)[HEADER].tobytes()).get("kind")
        learner = class_of(kind)
    except (*BROKEN, AttributeError, zipfile.BadZipFile, zlib.error, ModelMismatch) as error:
        raise _mismatch(f"{len(data)} bytes", error) from error
    return learner.from_bytes(data)


def packed(arrays: Arrays, *, is_small: bool = True) -> bytes:
    """Return an npz of arrays; equal arrays give equal bytes. Without `is_small` it is not compressed: faster."""
    buffer = io.BytesIO()
    (np.savez_compressed if is_small else np.savez)(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpacked(data: bytes) -> Arrays:
    """Return the arrays of an npz. Raise ModelMismatch for files that are too large and for pickled objects."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
            raise ModelMismatch(f"its arrays are larger than {MOST_BYTES} bytes")
        return {member.filename.removesuffix(".npy"): _array(archive, member) for member in archive.infolist()}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    content = archive.read(member)
    stream = io.BytesIO(content)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ModelMismatch(f"the array {member.filename:.80} is not in format 1.0")
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype.hasobject or stream.tell() + int(np.prod(shape, dtype=object)) * dtype.itemsize != len(content):
        raise ModelMismatch(f"the array {member.filename:.80} does not have the size that it claims")
    array: npt.NDArray[Any] = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    return array


def _is_like(value: Any, default: Any) -> bool:
    """Return whether a setting read from a file has the type of its default."""
    if value is None or default is None:
        return value is None or type(value) in (int, float)
    return type(value) in ((int, float) if isinstance(default, float) else (type(default),))


def _mismatch(where: str, error: BaseException) -> ModelMismatch:
    return ModelMismatch(
        f"the learner in {where} cannot be used: {error or type(error).__name__}. "
        "Copy it again from where it came from, or train it again."
    )
