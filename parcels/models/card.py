"""The description of a model's training data and settings, for its card and model.json."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parcels import __version__

FILE = "pages.parquet"  # a common name, so it is shown with its folder
HASH_DIGITS = 16


@dataclass(frozen=True)
class Source:
    """One source named by `--data`, and how much of it was used."""

    path: str | Path
    count: int
    sites: int | None = None
    unit: str = "pages"

    @property
    def name(self) -> str:
        """Return the last part of the path: a card does not contain paths of one machine."""
        return base_name(self.path)

    def __str__(self) -> str:
        sites = "" if self.sites is None else f" of {self.sites} sites"
        return f"`{self.name}` ({self.count:,} {self.unit}{sites})"


def base_name(path: str | Path) -> str:
    """Return the last part of a path; for `pages.parquet` with its folder.

    >>> base_name("/data/news17/"), base_name("corpora/news/pages.parquet"), base_name("s3://bucket/store")
    ('news17', 'news/pages.parquet', 'store')
    """
    path = Path(path)
    named = path if path.name not in ("", "..") else path.resolve()
    return f"{named.parent.name}/{named.name}" if named.name == FILE and named.parent.name else named.name


@dataclass(frozen=True)
class Trained:
    """The training of a model: the command and the data that were used."""

    kind: str  # as in `parcels train KIND`
    sources: Sequence[Source]
    out: Path
    digest: str  # of the examples, by `examples_hash`
    options: Sequence[str] = ()  # words of the command beside --data and --out
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> str:
        """Return the training command, with base names in place of paths."""
        data = " ".join(source.name for source in self.sources)
        return " ".join(["parcels", "train", self.kind, "--data", data, *self.options, "--out", base_name(self.out)])

    def lines(self) -> str:
        """Return the lines of the card."""
        used = ", ".join(map(str, self.sources))
        settings = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return (
            f"- Trained by: `{self.command}` (parcels {__version__}).\n"
            f"- Data: {used}; hash of the examples `{self.digest}`. The folder holds weights and words, no pages.\n"
            + (f"- Settings: {settings}.\n" if settings else "")
        )

    def stated(self, **more: Any) -> dict[str, Any]:
        """Return the description for model.json; `more` are further numbers about the data."""
        sources = [
            {"name": source.name, source.unit: source.count} | ({} if source.sites is None else {"sites": source.sites})
            for source in self.sources
        ]
        return {
            "data": {"sources": sources, "hash": self.digest, **more},
            "settings": self.settings,
            "command": self.command,
            "made_by": f"parcels {__version__}",
        }


def examples_hash(parts: Iterable[str]) -> str:
    """Return a hash of the examples that does not depend on their order.

    >>> examples_hash(["a", "b"]) == examples_hash(["b", "a"]) != examples_hash(["a", "c"])
    True
    """
    digest = hashlib.sha256()
    for one in sorted(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest() for part in parts):
        digest.update(one)
    return digest.hexdigest()[:HASH_DIGITS]
