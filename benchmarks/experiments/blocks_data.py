"""Pages for the block experiments: what the two views of the PARCELS papers say of each block, measured once.

Only the numbers and words of the two views are kept; pages and layouts are let go, so that hundreds of pages fit in
memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from parcels.divide import Division, coarse, fine
from parcels.errors import InputMissing, SkipRecord
from parcels.features.registry import NUMBERS
from parcels.html.page import Page, read_page
from parcels.inputs import BadPage, read_pages
from parcels.labels import label_set
from parcels.labels.features import BlockViews, measure
from parcels.labels.gold import UNKNOWN, Gold, block_labels, find, read_gold
from parcels.labels.labelled_pages import GOLD, PAGES
from parcels.layout.render import LaidOut
from parcels.processed_page import ProcessedPage
from parcels.urls import host_of, registered

TABLE_LAYOUT = NUMBERS["style"].index("table_layout")
LEAST_TABLES = 0.5  # from this share of tables among the tables and divs near the root a page is laid out by tables
Told = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class PageBlocks:
    """The blocks of one page: an entry a block; `labels` are empty strings where they are unknown."""

    page: str
    domain: str
    style: np.ndarray
    lexical: np.ndarray
    terms: list[dict[str, int]]
    labels: list[str]
    numbers: list[int]  # of the blocks in their page

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def ids(self) -> list[str]:
        """A name a block."""
        return [f"{self.page}:{number}" for number in self.numbers]

    @property
    def has_table_layout(self) -> bool:
        """True where tables, not divs, lay the page out (Lee, Kan and Lai 2004, section 5.2)."""
        return bool(len(self)) and float(self.style[0, TABLE_LAYOUT]) >= LEAST_TABLES

    def at_most(self, count: int | None, random: np.random.Generator) -> "PageBlocks":
        """So many of the blocks, drawn at random, in their order."""
        if count is None or len(self) <= count:
            return self
        return self.take(np.sort(random.permutation(len(self))[:count]).tolist())

    def take(self, rows: Sequence[int]) -> "PageBlocks":
        """Some blocks."""
        terms, labels = [self.terms[row] for row in rows], [self.labels[row] for row in rows]
        numbers = [self.numbers[row] for row in rows]
        return PageBlocks(self.page, self.domain, self.style[rows], self.lexical[rows], terms, labels, numbers)


NOTHING = PageBlocks("", "", np.zeros((0, len(NUMBERS["style"]))), np.zeros((0, len(NUMBERS["lexical"]))), [], [], [])


def labelled_blocks(folder: Path, *, limit: int | None = None, tell: Told = print) -> list[PageBlocks]:
    """The labelled fine blocks of a folder's pages; blocks without gold are left out."""
    return _labelled(folder, fine.divide, block_labels, limit, tell)


def important_blocks(folder: Path, *, limit: int | None = None, tell: Told = print) -> list[PageBlocks]:
    """Coarse blocks with their level of importance: the one with most characters of gold in the block."""
    return _labelled(folder, coarse.divide, levels, limit, tell)


def levels(gold: Gold, division: Division) -> list[str]:
    """The level of importance of each block; unknown where none of its leaves has gold."""
    level = {label.name: label.importance for label in label_set().labels}
    sums = np.zeros((len(division), max(level.values()) + 1))
    for leaf, at in zip(gold.leaves, gold.at, strict=True):
        if at >= 0:
            sums[np.searchsorted(division.first, at, "right") - 1, level[leaf.label]] += leaf.size
    return [str(row.argmax()) if row.any() else UNKNOWN for row in sums]


def pool_blocks(folder: Path, count: int, *, seed: int = 0, tell: Told = print) -> list[PageBlocks]:
    """The fine blocks of pages that are drawn at random, without labels."""
    domains = _domains(folder)
    names = np.random.default_rng(seed).permutation(sorted(domains))[:count].tolist()
    found = []
    for page, laid in _laid(folder, set(names)):
        measured = measure(fine.divide(page), laid)
        found.append(_blocks(page.name, domains[page.name], measured, [UNKNOWN] * len(measured)))
    tell(f"{folder.name}: {len(found)} of {len(names)} drawn pages could be read, {sum(map(len, found))} blocks")
    return found


def _labelled(
    folder: Path,
    divide: Callable[[Page], Division],
    label: Callable[[Gold, Division], list[str]],
    limit: int | None,
    tell: Told,
) -> list[PageBlocks]:
    domains = _domains(folder)
    names = sorted(name for name in domains if (folder / GOLD / f"{name}.json").is_file())[:limit]
    found = []
    for page, laid in _laid(folder, set(names)):
        division = divide(page)
        labels = label(find(page, read_gold(folder / GOLD / f"{page.name}.json")), division)
        blocks = _blocks(page.name, domains[page.name], measure(division, laid), labels)
        found.append(blocks.take([row for row, name in enumerate(labels) if name != UNKNOWN]))
    tell(f"{folder.name}: {len(found)} of {len(names)} labelled pages, {sum(map(len, found))} blocks")
    return found


def _laid(folder: Path, wanted: set[str]) -> Iterator[tuple[Page, LaidOut]]:
    """The wanted pages of a folder that can be read and laid out."""
    for raw in read_pages([str(folder / PAGES)]):
        if raw.name not in wanted or isinstance(raw, BadPage):
            continue
        try:
            page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        except SkipRecord:
            continue
        laid = ProcessedPage.parsed(page, css=raw.css, folder=raw.folder).optional_layout
        if laid is not None and len(page.leaves):
            yield page, laid


def _blocks(page: str, domain: str, measured: BlockViews, labels: list[str]) -> PageBlocks:
    style, lexical = (measured.numbers[view].astype(np.float64) for view in ("style", "lexical"))
    return PageBlocks(page, domain, style, lexical, measured.terms, labels, list(range(len(labels))))


def _domains(folder: Path) -> dict[str, str]:
    """The site of each page: the column `domain`, or the registered domain of its address."""
    if not (folder / PAGES).is_file():
        raise InputMissing(f"{folder} is no folder of pages: it needs {PAGES}")
    names = pq.read_schema(folder / PAGES).names
    table = pq.read_table(folder / PAGES, columns=["page", "domain" if "domain" in names else "url"])
    values = table[1].to_pylist()
    if "domain" not in names:
        values = [registered(host_of(url or "") or "") for url in values]
    return dict(zip(table["page"].to_pylist(), values, strict=True))
