"""The weights of an averaged perceptron as plain arrays, and the folder that holds them.

A feature is a template and a value ("suffix" and "ing"); its weights are one sparse row over the labels. Weights are
whole thousandths, so that sums are exact in any order.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.errors import ModelMismatch

Ints = NDArray[np.int32]
Arrays = Mapping[str, NDArray[Any]]

SCALE = 1000  # NLTK rounds averaged weights to three decimals
NONE = -1  # the row of a feature without weights
MAX_BYTES = 1 << 28  # of an unpacked model


@dataclass(frozen=True, slots=True)
class Weights:
    """Rows of weights by template and value."""

    labels: tuple[str, ...]
    rows: dict[str, dict[str, int]]  # template: value: row
    indptr: Ints
    columns: NDArray[np.intp]
    values: Ints

    def dense(self, rows: Sequence[int] | Ints) -> Ints:
        """Return rows as a table with one column per label; rows of zeros for NONE."""
        wanted = np.asarray(rows, np.int64)
        is_known = wanted >= 0
        start = np.where(is_known, self.indptr[wanted], 0)
        count = np.where(is_known, self.indptr[wanted + 1] - start, 0)
        row = np.repeat(np.arange(len(wanted)), count)
        at = np.arange(len(row)) + np.repeat(start - (np.cumsum(count) - count), count)
        table = np.zeros((len(wanted), len(self.labels)), np.int32)
        table[row, self.columns[at]] = self.values[at]
        return table

    def placed(self, template: str, places: Mapping[str, int], size: int) -> Ints:
        """Return a table of `size` rows with the weights of a template's features in the rows that `places` gives."""
        known = self.rows.get(template, {})
        rows = np.fromiter(known.values(), np.int64, len(known))
        place = np.fromiter(map(places.__getitem__, known), np.int64, len(known))
        start = self.indptr[rows]
        count = self.indptr[rows + 1] - start
        at = np.arange(int(count.sum())) + np.repeat(start - (np.cumsum(count) - count), count)
        table = np.zeros((size, len(self.labels)), np.int32)
        table[np.repeat(place, count), self.columns[at]] = self.values[at]
        return table

    def table(self, template: str, values: Sequence[str]) -> Ints:
        """Return the weights of a template's features, one row per value."""
        known = self.rows.get(template, {})
        return self.dense([known.get(value, NONE) for value in values])

    def of(self, template: str, value: str) -> dict[str, float]:
        """Return the weights of one feature by label."""
        row = self.rows.get(template, {}).get(value, NONE)
        if row == NONE:
            return {}
        span = slice(int(self.indptr[row]), int(self.indptr[row + 1]))
        labels = [self.labels[column] for column in self.columns[span]]
        return dict(zip(labels, (self.values[span] / SCALE).tolist(), strict=True))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to store. Templates and values are lines of text, sorted by template."""
        lines = [f"{template}\t{value}" for template, values in self.rows.items() for value in values]
        small = np.int16 if not len(self.values) or np.abs(self.values).max() < 1 << 15 else np.int32
        return {
            "features": np.frombuffer("\n".join(lines).encode(), np.uint8),
            "count": np.diff(self.indptr).astype(np.uint8),
            "columns": self.columns.astype(np.uint8),
            "values": self.values.astype(small),
        }

    @classmethod
    def from_dicts(cls, features: Mapping[tuple[str, str], Mapping[str, float]], labels: Sequence[str]) -> "Weights":
        """Make weights from dictionaries by feature and label, without zeros."""
        column = {label: number for number, label in enumerate(labels)}
        rows: dict[str, dict[str, int]] = {}
        count: list[int] = []
        columns: list[int] = []
        values: list[int] = []
        for template, value in sorted(features):
            cells = sorted((column[label], weight) for label, weight in features[template, value].items() if weight)
            if not cells:
                continue
            rows.setdefault(template, {})[value] = len(count)
            count.append(len(cells))
            columns += [cell[0] for cell in cells]
            values += [round(cell[1] * SCALE) for cell in cells]
        return cls._made(labels, rows, np.array(count), np.array(columns), np.array(values))

    @classmethod
    def from_arrays(cls, arrays: Arrays, labels: Sequence[str]) -> "Weights":
        """Read stored arrays. Raise ValueError if they do not fit together."""
        rows: dict[str, dict[str, int]] = {}
        lines = arrays["features"].tobytes().decode()
        for number, line in enumerate(lines.split("\n") if lines else []):
            template, _, value = line.partition("\t")
            rows.setdefault(template, {})[value] = number
        count, columns, values = arrays["count"], arrays["columns"], arrays["values"]
        if sum(map(len, rows.values())) != len(count) or not int(count.sum()) == len(columns) == len(values):
            raise ValueError("the numbers of features and weights do not fit together")
        if len(columns) and int(columns.max()) >= len(labels):
            raise ValueError("a weight belongs to a label that is not listed")
        return cls._made(labels, rows, count, columns, values)

    @classmethod
    def _made(
        cls,
        labels: Sequence[str],
        rows: dict[str, dict[str, int]],
        count: NDArray[Any],
        columns: NDArray[Any],
        values: NDArray[Any],
    ) -> "Weights":
        indptr = np.concatenate(([0], np.cumsum(count, dtype=np.int64))).astype(np.int32)
        return cls(tuple(labels), rows, indptr, columns.astype(np.intp), values.astype(np.int32))


def write_model(folder: Path, meta: Mapping[str, Any], arrays: Arrays, card: str) -> None:
    """Write a model folder: model.json, arrays.npz, card.md."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    np.savez_compressed(folder / "arrays.npz", **arrays)  # type: ignore[arg-type]  # its stub knows no mapping
    (folder / "card.md").write_text(card, encoding="utf-8")


def read_model(folder: Traversable, *, kind: str, version: int) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return model.json and the arrays of a model folder; nothing in them is executed.

    Raises ModelMismatch for a folder of another kind or version, or one that is damaged.
    """
    again = f"Train it again (parcels train {kind} --data ... --out {folder}) or reinstall parcels."
    try:
        meta = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        if not isinstance(meta, dict):
            raise ValueError("model.json holds no object")
    except (OSError, ValueError) as error:
        raise ModelMismatch(f"no {kind} model at {folder}: {error}.\n{again}") from error
    stored_kind = (meta.get("kind"), meta.get("version"))
    if stored_kind != (kind, version):
        raise ModelMismatch(
            f"the model at {folder} is {stored_kind[0]}@{stored_kind[1]}, this code reads {kind}@{version}.\n{again}"
        )
    try:
        data = (folder / "arrays.npz").read_bytes()
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MAX_BYTES:
                raise ValueError("arrays.npz would unpack to more than a model can hold")
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise ModelMismatch(f"the {kind} model at {folder} is damaged: {error}.\n{again}") from error
    return meta, arrays


def damaged(folder: Traversable, kind: str, error: Exception) -> ModelMismatch:
    """Return the error for a model whose parts do not fit together."""
    return ModelMismatch(
        f"the {kind} model at {folder} is damaged: {type(error).__name__}: {error}.\n"
        f"Train it again (parcels train {kind} --data ... --out {folder}) or reinstall parcels."
    )
