"""The labelled corpora beside the project, and what they are: a hash pins a score to the pages it was seen on."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from parcels.errors import InputMissing
from parcels.inputs import BadPage, RawPage, read_pages


def folder() -> Path:
    """Where the corpora are: PARCELS_CORPORA, or ../shared/data beside the project."""
    default = Path(__file__).parents[2] / "shared" / "data"
    found = Path(os.environ.get("PARCELS_CORPORA") or default)
    if not found.is_dir():
        raise InputMissing(f"no corpora at {found}: set PARCELS_CORPORA to the folder that holds news17/ and others")
    return found


def pages(name: str) -> Iterator[RawPage]:
    """The pages of a corpus."""
    for page in read_pages([str(folder() / name / "pages.parquet")]):
        if isinstance(page, BadPage):
            raise page.error
        yield page


def fingerprint(name: str) -> str:
    """A short hash over the names and contents of a corpus' files."""
    digest = hashlib.sha256()
    for path in sorted((folder() / name).rglob("*")):
        if path.is_file():
            digest.update(path.name.encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
