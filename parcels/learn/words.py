"""Word counts per row: a sparse matrix in compressed rows, in NumPy alone.

Prediction does without SciPy: it needs only products with dense matrices, selected rows and present columns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError
from parcels.learn.counting import columns_of_parts, count_tokens
from parcels.learn.products import add_sparse_product

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Words:
    """Row i has the words `columns[starts[i]:starts[i + 1]]`, each once and in any order, with their `counts`.

    >>> words = Words.from_texts([["red", "red", "fox"], [], ["dog"]], {"fox": 0, "red": 1})
    >>> words.to_dense()
    array([[1., 2.],
           [0., 0.],
           [0., 0.]])
    >>> words.dot(np.array([[10.0], [1.0]])).ravel()
    array([12.,  0.,  0.])
    """

    starts: Ints
    columns: Ints
    counts: Floats
    width: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def empty(cls, rows: int, width: int = 0) -> "Words":
        """Return rows without words."""
        return cls(np.zeros(rows + 1, np.int64), np.zeros(0, np.int64), np.zeros(0), width)

    @classmethod
    def from_texts(cls, texts: Sequence[Iterable[str]], vocabulary: Mapping[str, int]) -> "Words":
        """Count each text's words; words that the vocabulary lacks are left out."""
        rows = [Counter(place for word in text if (place := vocabulary.get(word)) is not None) for text in texts]
        starts = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)
        pairs = [pair for row in rows for pair in sorted(row.items())]
        table = np.array(pairs, np.int64).reshape(-1, 2)
        return cls(starts, table[:, 0].copy(), table[:, 1].astype(np.float64), len(vocabulary))

    @classmethod
    def from_counts(cls, rows: Sequence[Mapping[str, int] | Set[str]], vocabulary: Mapping[str, int]) -> "Words":
        """Make rows from counted words, or from sets of words.

        >>> Words.from_counts([{"red": 2, "fox": 1}, {"dog"}], {"fox": 0, "red": 1}).to_dense().tolist()
        [[1.0, 2.0], [0.0, 0.0]]
        """
        lengths, width = np.fromiter(map(len, rows), np.int64, len(rows)), max(len(vocabulary), 1)
        words, total = chain.from_iterable(rows), int(lengths.sum())
        place = np.fromiter(map(vocabulary.get, words, repeat(-1)), np.int64, total)
        is_known = place >= 0
        key = (np.repeat(np.arange(len(rows)) * width, lengths) + place)[is_known]  # row, then column
        if any(isinstance(row, Mapping) for row in rows):
            each = (row.values() if isinstance(row, Mapping) else repeat(1, len(row)) for row in rows)
            order = np.argsort(key)
            key, counts = key[order], np.fromiter(chain.from_iterable(each), np.float64, total)[is_known][order]
        else:
            key, counts = np.sort(key), np.ones(len(key))
        starts = np.searchsorted(key, np.arange(len(rows) + 1) * width)
        return cls(starts, key % width, counts, len(vocabulary))

    @classmethod
    def from_tokens(
        cls,
        column_of: npt.NDArray[np.int32],
        is_counted: npt.NDArray[np.bool_],
        begin: npt.NDArray[np.intp],
        width: int,
    ) -> "Words":
        """Make rows from the columns of consecutive tokens: row i has those from `begin[i]` to `begin[i + 1]`.

        Tokens with the column -1 are left out.

        >>> Words.from_tokens(np.array([2, -1, 2, 0], np.int32), np.ones(4, bool), np.array([0, 3, 4]), 3).to_dense()
        array([[0., 0., 2.],
               [1., 0., 0.]])
        """
        starts, columns, counts = count_tokens(column_of, is_counted.view(np.uint8), begin, width)
        return cls(starts, columns, counts, width)

    @classmethod
    def from_parts(cls, rows: list[list[tuple[str, ...]]], vocabulary: dict[str, int]) -> "Words":
        """Make rows from several tuples of words; every word counts once per row.

        >>> Words.from_parts([[("red", "fox"), ("red",)]], {"fox": 0, "red": 1}).to_dense().tolist()
        [[1.0, 1.0]]
        """
        starts, columns = columns_of_parts(rows, vocabulary)
        return cls(starts, columns, np.ones(len(columns)), len(vocabulary))

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Words":
        """Make rows from a SciPy matrix; duplicate entries are summed and zeros dropped."""
        matrix = matrix.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        counts = np.asarray(matrix.data, np.float64)
        return cls(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), counts, int(matrix.shape[1]))

    def to_scipy(self) -> Any:
        """Return a scipy.sparse.csr_array, for learners that fit with SciPy."""
        from scipy.sparse import csr_array  # type: ignore[import-untyped]

        return csr_array((self.counts, self.columns, self.starts), shape=(len(self), self.width))

    def to_dense(self) -> Floats:
        """Return the whole matrix."""
        dense = np.zeros((len(self), self.width))
        dense[self.row_of_entry(), self.columns] = self.counts
        return dense

    def row_of_entry(self) -> Ints:
        """Return the row of each of `columns`."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def dot(self, weights: Floats) -> Floats:
        """Return the product with a matrix of one row per word; each row's result is independent of other rows."""
        result = np.zeros((len(self), weights.shape[1]))
        add_sparse_product(self.starts, self.columns, self.counts, np.ascontiguousarray(weights, np.float64), result)
        return result

    def present(self) -> "Words":
        """Return these words, each counted once."""
        return Words(self.starts, self.columns, np.minimum(self.counts, 1.0), self.width)

    def take(self, rows: npt.NDArray[Any]) -> "Words":
        """Return some rows, in the given order (places, or one flag per row)."""
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        entries = np.arange(starts[-1]) + np.repeat(self.starts[:-1][rows] - starts[:-1], lengths)
        return Words(starts, self.columns[entries], self.counts[entries], self.width)

    def and_below(self, other: "Words") -> "Words":
        """Return these rows followed by those of another."""
        if self.width != other.width:
            raise ConfigError(
                f"rows of {self.width} and of {other.width} columns cannot be stacked: use one vocabulary"
            )
        starts = np.concatenate([self.starts, other.starts[1:] + self.starts[-1]])
        columns = np.concatenate([self.columns, other.columns])
        return Words(starts, columns, np.concatenate([self.counts, other.counts]), self.width)

    def and_beside(self, other: "Words") -> "Words":
        """Return the columns of this one followed by those of another: two vocabularies in one."""
        if len(self) != len(other):
            raise ConfigError(f"words of {len(self)} rows cannot be joined with words of {len(other)} rows")
        starts, total = self.starts + other.starts, len(self.columns) + len(other.columns)
        columns, counts = np.empty(total, np.int64), np.empty(total)
        # In each row the entries of this one come first, so the new index of an entry is known without sorting.
        one = np.arange(len(self.columns)) + np.repeat(other.starts[:-1], np.diff(self.starts))
        two = np.arange(len(other.columns)) + np.repeat(self.starts[1:], np.diff(other.starts))
        columns[one], columns[two] = self.columns, other.columns + self.width
        counts[one], counts[two] = self.counts, other.counts
        return Words(starts, columns, counts, self.width + other.width)


def vocabulary(texts: Iterable[Iterable[str]], *, least_rows: int = 1) -> dict[str, int]:
    """Return every word that occurs in at least `least_rows` texts, with its column, in alphabetical order.

    >>> vocabulary([["b", "b"], ["b", "a"], ["c", "a"]], least_rows=2)
    {'a': 0, 'b': 1}
    """
    rows = Counter(word for text in texts for word in set(text))
    return {word: place for place, word in enumerate(sorted(word for word, n in rows.items() if n >= least_rows))}
