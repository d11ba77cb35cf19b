"""Training examples: pages with gold labels, with their features, and the same pages in old markup."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from parcels.common.output import Log, log_nothing
from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.html.page import Page, read_page
from parcels.inputs import BadPage, RawPage, read_pages
from parcels.labels.aged import aged, is_aged
from parcels.labels.features import BlockViews
from parcels.labels.gold import Gold, block_labels, find, find_in_copy
from parcels.labels.labelled_pages import is_store, labelled_pages
from parcels.processed_page import ProcessedPage
from parcels.store import open_store
from parcels.store.pages import stored_pages
from parcels.urls import host_of, registered

LEAST_BLOCKS, LEAST_LABELS, LEAST_PAGES = 60, 2, 2  # of training data, some of which is held out


@dataclass(frozen=True)
class Example:
    """One labelled page."""

    page: str
    site: str
    measured: BlockViews
    gold: Gold
    labels: list[str]  # of the blocks; empty where unknown
    is_scored: bool = True  # False: only to learn from


def read_examples(
    source: str | Path,
    *,
    pages: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    is_scored: bool = True,
    with_aged: bool = False,
    left_out: list[str] | None = None,
    log: Log = log_nothing,
) -> Iterator[Example]:
    """Yield the pages of a source (`parcels.labels.labelled_pages`) whose names do not begin with one of `leave_out`.

    The names of the others are appended to `left_out`. `pages`: where the pages of an export are. `with_aged`: half of
    the pages a second time, in old markup (`parcels.labels.aged`), only to learn from.
    """
    for found in labelled_pages(source, pages=pages, log=log):
        raw = found.raw
        if raw.name.startswith(tuple(leave_out)):
            if left_out is not None:
                left_out.append(raw.name)
            continue
        try:
            page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        except SkipRecord:
            continue
        gold = find(page, found.leaves, found.ordinals)
        yield from _example(raw, page, gold, is_scored=is_scored)
        if with_aged and is_aged(raw.name):
            old = read_page(aged(page), raw.url, name=raw.name)
            has_every_leaf = found.ordinals is None
            again = find(old, found.leaves) if has_every_leaf else find_in_copy(old, page, gold)
            yield from _example(replace(raw, css={}), old, again, is_scored=False)


def _example(raw: RawPage, page: Page, gold: Gold, *, is_scored: bool) -> Iterator[Example]:
    """Yield the page with its gold labels; nothing if it cannot be laid out."""
    processed = ProcessedPage.parsed(page, css=raw.css, folder=raw.folder)
    if processed.can_be_laid_out:
        labels = block_labels(gold, processed.division)
        yield Example(raw.name, _site(raw), processed.features, gold, labels, is_scored)


@dataclass(frozen=True)
class Unlabelled:
    """One page of a pool."""

    page: str
    site: str
    measured: BlockViews


def read_pool(sources: Sequence[str]) -> Iterator[Unlabelled]:
    """Yield the features of the pages of stores and files, without those that cannot be read or laid out."""
    for raw in chain.from_iterable(map(_pages, sources)):
        if isinstance(raw, BadPage):
            continue
        try:
            processed = ProcessedPage(raw)
            processed.require_leaves()
        except SkipRecord:
            continue
        if processed.can_be_laid_out:
            yield Unlabelled(raw.name, _site(raw), processed.features)


def _pages(source: str) -> Iterator[RawPage | BadPage]:
    if is_store(source):
        return (raw for _, raw in stored_pages(open_store(source)))
    return read_pages([source])


def without_labelled(pool: Iterable[Unlabelled], examples: Iterable[Example]) -> list[Unlabelled]:
    """Return the pages of a pool that are not among the labelled ones."""
    labelled = {(example.page, example.site) for example in examples}
    return [page for page in pool if (page.page, page.site) not in labelled]


def _site(raw: RawPage) -> str:
    return registered(host_of(raw.url or "") or raw.name)


def checked(examples: Sequence[Example], *, sites: int) -> Sequence[Example]:
    """Return the examples. Raise ConfigError if they are of fewer sites than required."""
    found = len({example.site for example in examples})
    if found < sites:
        raise ConfigError(
            f"Labelled pages of at least {sites} sites are needed, so that some can be held out, got {found}."
        )
    return examples


def check_enough(examples: Sequence[Example]) -> None:
    """Raise InputMissing where too little is labelled to train on, with what there is and what is needed."""
    pages: dict[tuple[str, str], Example] = {}
    for example in examples:
        if any(example.labels):
            pages.setdefault((example.site, example.page), example)  # its copy in old markup counts for nothing
    labels = [label for example in pages.values() for label in example.labels if label]
    if len(labels) < LEAST_BLOCKS or len(set(labels)) < LEAST_LABELS or len(pages) < LEAST_PAGES:
        raise InputMissing(
            f"Too few labels: {len(labels)} labelled blocks with {len(set(labels))} different labels on {len(pages)} "
            f"pages. Training needs at least {LEAST_BLOCKS} blocks with {LEAST_LABELS} labels on {LEAST_PAGES} pages. "
            "Label more pages: parcels annotate --store STORE"
        )
