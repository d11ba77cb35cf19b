"""Read the seeds of a crawl: addresses, lists, feeds, site maps, subscription lists, dumps of directories."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from crawler.seeds.documents import Document, open_document, read_document
from crawler.seeds.lists import BARE
from crawler.seeds.seed import Seed, seed
from parcels.errors import InputMissing

__all__ = ["Document", "Seed", "read_document", "read_seeds"]

MAX_FILE_BYTES = 1 << 40  # unpacked: a file that the user names may be large, but not without end
READ_BYTES = 1 << 16


def read_seeds(sources: Sequence[str], *, left_out: Counter[str] | None = None) -> Iterator[Seed]:
    """Yield the seeds of addresses, files of any known kind (also .gz and .zst), or standard input (`-`).

    Each address is one seed of kind `home`, whose real kind is known after fetching. Invalid addresses in files are
    counted in `left_out` by reason.

    >>> [s.url for s in read_seeds(["Example.com/news"])]
    ['http://example.com/news']
    """
    for source in sources:
        if source != "-" and not Path(source).is_file() and not _is_address(source):
            raise InputMissing(f"{source} is neither a file nor an address. Name a file of seeds, or http://…")
    for source in sources:
        yield from _from_source(source, left_out)


def _from_source(source: str, left_out: Counter[str] | None) -> Iterator[Seed]:
    if source == "-":
        yield from _from_stream(sys.stdin.buffer, "standard input", left_out)
    elif not _has_scheme(source) and Path(source).is_file():
        with Path(source).open("rb") as file:
            yield from _from_stream(file, source, left_out)
    else:
        home = seed(source if _has_scheme(source) else f"http://{source}", kind="home", left_out=left_out)
        if home is not None:
            yield home


def _has_scheme(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _is_address(source: str) -> bool:
    return _has_scheme(source) or bool(BARE.fullmatch(source))


def _from_stream(file: BinaryIO, name: str, left_out: Counter[str] | None) -> Iterator[Seed]:
    chunks = iter(lambda: file.read(READ_BYTES), b"")
    kind, seeds = open_document(chunks, url=None, left_out=left_out, max_bytes=MAX_FILE_BYTES)
    if kind == "other":
        raise InputMissing(
            f"No address found in {name}. Name a list, table, feed, OPML, site map, DMOZ dump or HTML file."
        )
    yield from seeds
