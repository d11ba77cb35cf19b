"""Rows of `features` as the arrays that learners read."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from jobs.featurize import VIEWS as COLUMNS
from parcels.features.registry import NUMBERS
from parcels.labels.cotrained import VIEWS
from parcels.learn.learner import Features
from parcels.learn.words import Floats, Words

OF_CORE = {own: column for column, own in COLUMNS.items()}
NEEDED = ("block_id", *dict.fromkeys(OF_CORE[own] for view in VIEWS.values() for own in view.numbers), "terms")


def views_of(rows: pa.Table, vocabulary: Mapping[str, int]) -> tuple[Features, ...]:
    """Return the views of rows, one per learner, in the order of `cotrained.VIEWS`."""
    words = words_of(rows["terms"], vocabulary)
    views = []
    for view in VIEWS.values():
        numbers = np.concatenate([numbers_of(rows[OF_CORE[own]], len(NUMBERS[own])) for own in view.numbers], axis=1)
        views.append(Features.of(numbers, words if view.has_words else None))
    return tuple(views)


def numbers_of(column: Any, width: int) -> Floats:
    """Return a column of lists of equal length as a matrix.

    >>> numbers_of(pa.chunked_array([[[1.0, 2.0]], [[3.0, 4.0]]]), 2).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    flat: Floats = pc.list_flatten(column).to_numpy().astype(np.float64)
    return flat.reshape(len(column), width)


def words_of(column: Any, vocabulary: Mapping[str, int]) -> Words:
    """Return a column of counted terms as words, without the terms that the vocabulary lacks.

    >>> terms = pa.chunked_array([[[{"term": "b", "count": 2}, {"term": "x", "count": 1}], []]])
    >>> words_of(terms, {"a": 0, "b": 1}).to_dense().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy()
    flat = pc.list_flatten(column)
    known = pa.array(sorted(vocabulary, key=vocabulary.__getitem__), pa.string())
    place = pc.fill_null(pc.index_in(pc.struct_field(flat, "term"), known), -1).to_numpy()
    count = pc.struct_field(flat, "count").to_numpy()
    row = np.repeat(np.arange(len(column)), lengths)
    kept = np.flatnonzero(place >= 0)
    kept = kept[np.lexsort((place[kept], row[kept]))]
    starts = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=len(column)))]).astype(np.int64)
    return Words(starts, place[kept].astype(np.int64), count[kept].astype(np.float64), len(vocabulary))
