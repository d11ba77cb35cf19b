"""Labelled pages to learn from: pages beside their gold labels, measured once, and the same pages in old markup."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from parcels.classify.aged import aged, is_aged
from parcels.classify.gold import Gold, GoldLeaf, block_labels, find, read_gold
from parcels.classify.measured import Measured, measure
from parcels.divide import fine
from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.inputs import BadPage, RawPage, read_pages
from parcels.page import Page, read_page
from parcels.results import laid_within_bounds
from parcels.urls import host_of, registered

PAGES, GOLD = "pages.parquet", "gold"


@dataclass(frozen=True)
class Example:
    """One labelled page."""

    page: str
    site: str
    measured: Measured
    gold: Gold
    labels: list[str]  # of the blocks; empty where unknown
    is_scored: bool = True  # False: only to learn from


def read_examples(
    folder: Path,
    *,
    leave_out: Sequence[str] = (),
    is_scored: bool = True,
    with_aged: bool = False,
    each: Callable[[], None] = lambda: None,
) -> Iterator[Example]:
    """The pages of a folder (`pages.parquet` and `gold/PAGE.json`) whose names do not begin with one of `leave_out`.

    `with_aged`: half of the pages a second time, in old markup (`parcels.classify.aged`), only to learn from.
    """
    if not (folder / PAGES).is_file() or not (folder / GOLD).is_dir():
        raise InputMissing(f"{folder} is no folder of labelled pages: it needs {PAGES} and {GOLD}/PAGE.json")
    for raw in read_pages([str(folder / PAGES)]):
        each()
        if raw.name.startswith(tuple(leave_out)):
            continue
        file = folder / GOLD / f"{raw.name}.json"
        if isinstance(raw, BadPage) or not file.is_file():
            continue
        try:
            page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        except SkipRecord:
            continue
        leaves = read_gold(file)
        yield from _example(raw, page, leaves, is_scored=is_scored)
        if with_aged and is_aged(raw.name):
            plain = replace(raw, css={})
            yield from _example(plain, read_page(aged(page), raw.url, name=raw.name), leaves, is_scored=False)


def _example(raw: RawPage, page: Page, leaves: list[GoldLeaf], *, is_scored: bool) -> Iterator[Example]:
    """The page with its gold; nothing where it cannot be laid out."""
    laid = laid_within_bounds(page, css=raw.css, folder=raw.folder)
    if laid is not None:
        division, gold = fine.divide(page), find(page, leaves)
        yield Example(raw.name, _site(raw), measure(division, laid), gold, block_labels(gold, division), is_scored)


@dataclass(frozen=True)
class Unlabelled:
    """One page of a pool."""

    page: str
    site: str
    measured: Measured


def read_pool(sources: Sequence[str], *, each: Callable[[], None] = lambda: None) -> Iterator[Unlabelled]:
    """Pages without labels, measured; what cannot be read or laid out is left out."""
    for raw in read_pages(list(sources)):
        each()
        if isinstance(raw, BadPage):
            continue
        try:
            page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        except SkipRecord:
            continue
        laid = laid_within_bounds(page, css=raw.css, folder=raw.folder)
        if laid is not None and len(page.leaves):
            yield Unlabelled(raw.name, _site(raw), measure(fine.divide(page), laid))


def without_labelled(pool: Iterable[Unlabelled], examples: Iterable[Example]) -> list[Unlabelled]:
    """The pages of a pool that are not among the labelled ones."""
    labelled = {(example.page, example.site) for example in examples}
    return [page for page in pool if (page.page, page.site) not in labelled]


def _site(raw: RawPage) -> str:
    return registered(host_of(raw.url or "") or raw.name)


def checked(examples: Sequence[Example], *, sites: int) -> Sequence[Example]:
    """The examples, where they are of enough sites to hold some out."""
    found = len({example.site for example in examples})
    if found < sites:
        raise ConfigError(f"labelled pages of {found} sites; at least {sites} are needed, so that some can be held out")
    return examples
