"""Laid-out pages of a corpus, kept under build/: a second run of the topic benchmarks reads them in seconds.

What is kept holds for one corpus and one state of the code that reads pages; where either has changed, pages are read
anew. Plain JSON lines, compressed: a file that is broken off is not used.
"""

import gzip
import hashlib
import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from benchmarks import corpora
from parcels.topics.examples import TopicExample, TopicPage, examples
from parcels.topics.features import Constituents
from parcels.topics.links.places import LinkPlace

FOLDER = Path("build/topics")
READS = (
    "limits.py", "urls.py", "html/*.py", "css/**/*.py", "layout/**/*.py", "text/stems.py", "text/stopwords.*",
    "topics/cleaning.py", "topics/features.py",
    "topics/examples.py", "topics/links/places.py",
)  # what decides how a page is read  # fmt: skip
_WORDS = ("anchor_terms", "around", "heading")


def cached_examples(corpus: str) -> tuple[list[TopicExample], Counter[str]]:
    """The labelled pages of a corpus, and what was left out by reason."""
    path = FOLDER / f"{corpus}-{corpora.fingerprint(corpus)}-{code_hash()}.jsonl.gz"
    if not path.is_file():
        left_out: Counter[str] = Counter()
        found = examples([corpora.folder() / corpus], left_out=left_out)
        write(path, found, left_out)
        return found, left_out
    try:
        return read(path)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        print(f"{path} cannot be read ({error}): pages are laid out anew", file=sys.stderr, flush=True)
        path.unlink()
        return cached_examples(corpus)


def code_hash() -> str:
    """A short hash of the code that reads pages."""
    root = Path(__file__).parents[2] / "parcels"
    digest = hashlib.sha256()
    for pattern in READS:
        for path in sorted(root.glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def write(path: Path, found: Sequence[TopicExample], left_out: Counter[str]) -> None:
    """Keep pages; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_suffix(f".{os.getpid()}")
    with gzip.open(made, "wb", compresslevel=1) as file:
        file.write(orjson.dumps({"pages": len(found), "left_out": left_out}) + b"\n")
        file.writelines(orjson.dumps(example) + b"\n" for example in found)
    made.replace(path)


def read(path: Path) -> tuple[list[TopicExample], Counter[str]]:
    """The pages again; ValueError where some are missing."""
    with gzip.open(path, "rb") as file:
        head = orjson.loads(file.readline())
        found = [_example(orjson.loads(line)) for line in file]
    if len(found) != head["pages"]:
        raise ValueError(f"{len(found)} of {head['pages']} pages")
    return found, Counter(head["left_out"])


def _example(row: dict[str, Any]) -> TopicExample:
    page = row["page"]
    bags = {name: Counter(bag) for name, bag in page["constituents"]["bags"].items()}
    links = tuple(LinkPlace(**link | {name: tuple(link[name]) for name in _WORDS}) for link in page["links"])
    return TopicExample(row["name"], row["topic"], row["site"], TopicPage(page["url"], Constituents(bags), links))
