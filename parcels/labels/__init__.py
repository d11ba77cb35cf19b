"""Labels of blocks: label sets, training examples, models, training and evaluation.

In: divided and laid-out pages (and their gold labels, to train). Out: a label and a confidence per block.

A label set is a TOML file in this folder with each label's name, key, colour, rubric and merge rules.
"""

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources

from parcels.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Label:
    """One label, with its rubric for annotators."""

    name: str
    key: str
    colour: str
    importance: int  # of the three-level model: 3 important, 2 related, 1 neither
    merge: str  # its label in a coarser set
    rubric: str
    like: tuple[str, ...]
    unlike: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of one kind of page, in their order."""

    name: str
    version: int
    title: str
    labels: tuple[Label, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the labels' names, in order."""
        return tuple(label.name for label in self.labels)

    def __getitem__(self, name: str) -> Label:
        for label in self.labels:
            if label.name == name:
                return label
        raise KeyError(name)

    @property
    def fingerprint(self) -> str:
        """Return a hash of all labels and rubrics, which models and annotations carry."""
        text = json.dumps([asdict(label) for label in self.labels], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def label_set(name: str = "news17") -> LabelSet:
    """Return a shipped label set.

    >>> len(label_set("news17").labels), label_set()["title"].importance
    (17, 3)
    """
    file = resources.files("parcels.labels") / f"{name}.toml"
    if not file.is_file():
        known = sorted(
            entry.name[:-5] for entry in resources.files("parcels.labels").iterdir() if entry.name.endswith(".toml")
        )
        raise ConfigError(f"Unknown label set '{name}'. Use one of: {', '.join(known)}.")
    data = tomllib.loads(file.read_text("utf-8"))
    labels = tuple(
        Label(**{**entry, "like": tuple(entry["like"]), "unlike": tuple(entry["unlike"])}) for entry in data["label"]
    )
    return LabelSet(data["name"], data["version"], data["title"], labels)
