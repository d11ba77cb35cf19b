"""Linear one-against-rest SVMs over weighted tokens: fitted by scikit-learn, stored as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.errors import ConfigError
from parcels.learn.stored import Arrays, Reader
from parcels.learn.words import Words

Floats = NDArray[np.float64]
Bag = Mapping[str, int]
KEPT_SHARE = 0.1  # of the terms: section 8.1
LEAST_PAGES = 3  # tokens on fewer pages are left out
STRENGTH = 1.0
SHARPNESS = 3.0


@dataclass(frozen=True)
class LinearSvm:
    """Tokens with their inverse frequencies, one weight per token and type, and the scale of probabilities."""

    types: tuple[str, ...]
    vocabulary: tuple[str, ...]
    idf: Floats
    weights: Floats  # one row per token, then the constant; one column per type
    sharpness: float  # probabilities are a softmax of scores times this

    @cached_property
    def places(self) -> dict[str, int]:
        """The column of each token."""
        return {token: place for place, token in enumerate(self.vocabulary)}

    def scores(self, bags: Sequence[Bag]) -> Floats:
        """Return the signed distance of each page to each type's hyperplane."""
        words = weighted(Words.from_counts(bags, self.places), self.idf)
        scores: Floats = words.dot(self.weights[:-1]) + self.weights[-1]
        return scores

    def probabilities(self, scores: Floats) -> Floats:
        """Return the softmax of scores times the sharpness."""
        sharp = self.sharpness * scores
        raised = np.exp(sharp - sharp.max(axis=1, keepdims=True))
        proba: Floats = raised / raised.sum(axis=1, keepdims=True)
        return proba

    def save(self, folder: Path, name: str) -> Arrays:
        """Write the tokens below `folder`; return the arrays to store."""
        (folder / f"{name}.txt").write_text("\n".join(self.vocabulary), "utf-8")
        rounded = self.weights.round(3).astype(np.float32)  # rounding keeps the types and makes files smaller
        return {f"{name}-idf": self.idf.astype(np.float32), f"{name}-weights": rounded}

    @classmethod
    def load(
        cls, folder: Traversable, arrays: Reader, name: str, types: Sequence[str], sharpness: float
    ) -> "LinearSvm":
        """Load the data of `save`. Raise one of `stored.BROKEN` for other data."""
        vocabulary = tuple((folder / f"{name}.txt").read_text("utf-8").split("\n"))
        idf = arrays.take(f"{name}-idf", np.float32, (len(vocabulary),), low=0, high=1000)
        weights = arrays.take(f"{name}-weights", np.float32, (len(vocabulary) + 1, len(types)), low=-1e6, high=1e6)
        return cls(tuple(types), vocabulary, idf.astype(np.float64), weights.astype(np.float64), sharpness)


def weighted(words: Words, idf: Floats) -> Words:
    """Return TF-ISF weights: log(1 + count) times the inverse frequency, each page scaled to length 1."""
    counts = np.log1p(words.counts) * idf[words.columns]
    row = words.row_of_entry()
    length = np.sqrt(np.bincount(row, counts**2, len(words)))
    return Words(words.starts, words.columns, counts / np.maximum(length[row], 1e-300), words.width)


def fitted(
    bags: Sequence[Bag],
    types: Sequence[str],
    *,
    kept_share: float = KEPT_SHARE,
    strength: float = STRENGTH,
    sharpness: float = SHARPNESS,
) -> LinearSvm:
    """Select the most informative tokens and fit one SVM per type."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped]
    from sklearn.svm import LinearSVC  # type: ignore[import-untyped]

    names = tuple(sorted(set(types)))
    y = np.array([names.index(kind) for kind in types])
    vocabulary = _chosen(bags, y, len(names), kept_share)
    places = {token: place for place, token in enumerate(vocabulary)}
    words = Words.from_counts(bags, places)
    on_pages = np.bincount(words.columns, minlength=len(vocabulary))
    idf = np.log((1 + len(bags)) / (1 + on_pages)) + 1
    own = weighted(words, idf)
    # Liblinear accepts only 32-bit indices.
    matrix = csr_array((own.counts, own.columns.astype(np.int32), own.starts.astype(np.int32)), (len(own), own.width))
    columns = []
    if len(names) == 1:
        return LinearSvm(names, tuple(vocabulary), idf, np.zeros((len(vocabulary) + 1, 1)), sharpness)
    for number in range(len(names)):
        machine = LinearSVC(C=strength, class_weight="balanced", max_iter=5000).fit(matrix, y == number)
        columns.append(np.append(machine.coef_[0], machine.intercept_[0]))
    return LinearSvm(names, tuple(vocabulary), idf, np.stack(columns, axis=1), sharpness)


def _chosen(bags: Sequence[Bag], y: NDArray[np.int64], kinds: int, share: float) -> list[str]:
    """Return the tokens with the most information gain, in alphabetical order."""
    seen: dict[str, Floats] = {}
    for bag, kind in zip(bags, y.tolist(), strict=True):
        for token in bag:
            if token not in seen:
                seen[token] = np.zeros(kinds)
            seen[token][kind] += 1
    tokens = sorted(token for token, counts in seen.items() if counts.sum() >= LEAST_PAGES)
    if not tokens:
        raise ConfigError(f"{len(bags)} pages are too few for training: no token occurs on {LEAST_PAGES} of them")
    gains = information_gain(np.array([seen[token] for token in tokens]), np.bincount(y, minlength=kinds))
    best = np.argsort(-gains, kind="stable")[: max(1, round(share * len(tokens)))]
    return sorted(tokens[place] for place in best.tolist())


def information_gain(on_pages: Floats, pages: NDArray[np.int64]) -> Floats:
    """Return for each token the information gain of its presence about a page's type (Yang and Pedersen 1997).

    >>> information_gain(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([2, 2])).round(3).tolist()
    [0.693, 0.0]
    """
    whole = float(pages.sum())
    present = on_pages.sum(axis=1)
    inside = present / whole * _entropy(on_pages)
    outside = (whole - present) / whole * _entropy(pages - on_pages)
    gain: Floats = _entropy(pages[None].astype(np.float64))[0] - inside - outside
    return gain


def _entropy(counts: Floats) -> Floats:
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    entropy: Floats = -(share * np.log(np.maximum(share, 1e-300))).sum(axis=1)
    return entropy
