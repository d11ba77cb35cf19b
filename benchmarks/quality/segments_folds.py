"""The scores of one fold of marked pages, kept under build/, so that a run that was killed goes on where it was."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import parcels
from benchmarks.corpora import fingerprint
from parcels.segments.evaluate import UNPRIZED, PageScore, Scores, fold_scores
from parcels.segments.examples import MarkedPage
from parcels.segments.model import WPS
from parcels.segments.segmenters import BASELINES

KEPT = Path("build") / "segments"
SHARED = ("layout", "css", "page.py", "leaves.py", "learn/folds.py", "learn/trees.py", "learn/forest.py")
# What the content model says of a page: code that is compiled in part, the model's weights, and its lists of words.
OF_CONTENT = ("articles", "models/content", "structured.py", "structured_native.pyx", "tags.py", "divide", "views",
              "nlp", "learn")  # fmt: skip
HASHED = frozenset([".py", ".pyx", ".pxd", ".json", ".npz", ".tsv", ".txt"])
OF_BASELINES = ("block_fusion", "cclus", "gcuts", "vips", "tuning", "pair_features", "relation", "measured", "names",
                "graph", "labelling", "gold", "metrics", "examples", "evaluation")  # fmt: skip


class Group(NamedTuple):
    """Segmenters that are scored together, and the sources that their scores depend on."""

    name: str
    segmenters: tuple[str, ...]
    sources: tuple[str, ...]

    def state(self) -> str:
        """A hash of the corpus and of the code: scores of another state are not read."""
        digest = hashlib.sha256(fingerprint("segments").encode())
        package = Path(parcels.__file__).parent
        for part in (*self.sources, *SHARED):
            found = package / part
            for path in sorted(found.rglob("*")) if found.is_dir() else [found]:
                if path.suffix in HASHED:
                    digest.update(path.read_bytes())
        return digest.hexdigest()[:12]


GROUPS = (
    Group("wps", (*WPS, UNPRIZED), ("segment", *OF_CONTENT)),
    Group("baselines", tuple(BASELINES), tuple(f"segment/{name}.py" for name in OF_BASELINES)),
)


def kept_fold(
    marked: Callable[[], Sequence[MarkedPage]], number: int, *, seed: int, level: int, group: Group, state: str
) -> tuple[Scores, bool]:
    """One fold's scores and whether they were there already; the pages are read only where they are not."""
    path = KEPT / f"{group.name}-{state}-level{level}-draw{seed}-fold{number + 1}.json"
    if path.exists():
        rows = json.loads(path.read_text("utf-8"))
        return {name: [PageScore(**page) for page in pages] for name, pages in rows.items()}, True
    scores = fold_scores(marked(), number, level=level, segmenters=group.segmenters, seed=seed)
    KEPT.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.write_text(json.dumps({name: [asdict(page) for page in pages] for name, pages in scores.items()}), "utf-8")
    half.replace(path)
    return scores, False
