"""Inverse document frequencies of stems, counted on news pages. One page is one document."""

import math
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from parcels.text.tagging.weights import damaged, read_model

KIND, VERSION = "idf", 1
LEAST = 3  # stems on fewer pages count as unseen


class Idf:
    """Document frequencies, with idf(stem) = ln((1 + pages) / (1 + pages with the stem)).

    >>> Idf(99, {"fire": 9}).idf("fire") == math.log(10)
    True
    >>> Idf(99, {"fire": 9}).idf("unseen") == math.log(100)
    True
    """

    def __init__(self, pages: int, frequency: Mapping[str, int]):
        self.pages, self.frequency = pages, dict(frequency)

    def idf(self, stem: str) -> float:
        """Return the inverse document frequency of a stem."""
        return math.log((1 + self.pages) / (1 + self.frequency.get(stem, 0)))

    def of(self, stems: list[str]) -> NDArray[np.float32]:
        """Return the inverse document frequencies of stems."""
        unseen, known = math.log(1 + self.pages), self._by_stem
        return np.array([known.get(stem, unseen) for stem in stems], np.float32)

    @cached_property
    def _by_stem(self) -> dict[str, float]:
        return {stem: self.idf(stem) for stem in self.frequency}

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the stored arrays: stems as lines of text, most frequent first, and their frequencies."""
        stems = sorted(self.frequency, key=lambda stem: (-self.frequency[stem], stem))
        return {
            "stems": np.frombuffer("\n".join(stems).encode(), np.uint8),
            "pages": np.array([self.frequency[stem] for stem in stems], np.uint32),
        }


def open_idf(folder: Traversable) -> Idf:
    """Read the table in a model folder. Raise ModelMismatch for any other content."""
    meta, arrays = read_model(folder, kind=KIND, version=VERSION)
    try:
        stems = arrays["stems"].tobytes().decode().split("\n")
        return Idf(int(meta["pages"]), dict(zip(stems, arrays["pages"].tolist(), strict=True)))
    except (KeyError, ValueError, TypeError) as error:
        raise damaged(folder, KIND, error) from error


@cache
def shipped() -> Idf:
    """Return the table that comes with the package."""
    return open_idf(files("parcels") / "models" / "idf")
