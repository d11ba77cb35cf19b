"""Folds by site: labelled blocks to learn from, a pool without a page of a held-out site, and the held-out blocks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.experiments.blocks_data import NOTHING, PageBlocks
from parcels.learn.folds import fold_of_group
from parcels.learn.learner import Features, Labelled
from parcels.learn.pool import ArrayPool
from parcels.learn.words import Words, vocabulary

VIEWS = ("stylistic", "lexical")
LEAST_BLOCKS = 3  # a stem of fewer blocks is no column


@dataclass(frozen=True)
class Size:
    """How much a fold learns from: pages, and blocks drawn from each; None is all of them.

    Pages have twice the blocks that they had in 2004, so the paper's numbers of pages and of blocks are both met only
    with a part of the blocks of a page.
    """

    labelled_pages: int | None = 20  # with 80 blocks each: 1,625 blocks in Lee, Kan and Lai 2004, section 5.1
    labelled_blocks: int | None = 80
    pool_pages: int | None = 50  # with 120 each: "slightly over 6,000", section 7.1
    pool_blocks: int | None = 120


@dataclass(frozen=True, eq=False)
class Fold:
    """Training and test blocks of one fold."""

    labelled: Labelled
    groups: np.ndarray  # the site of each labelled row
    pool: ArrayPool
    held_out: Labelled
    pages: tuple[int, int, int]  # labelled, pool, held out


def folds_by_site(
    pages: Sequence[PageBlocks], pool: Sequence[PageBlocks], size: Size, *, count: int = 5, seed: int = 0
) -> Iterator[Fold]:
    """All folds; the draws of pages depend on the seed and the fold's number only."""
    fold = fold_of_group(np.array([page.domain for page in pages]), folds=count, seed=seed)
    for number in range(count):
        held_out = [page for page, place in zip(pages, fold, strict=True) if place == number]
        seen = [page for page, place in zip(pages, fold, strict=True) if place != number]
        sites = {page.domain for page in held_out}
        allowed = [page for page in pool if page.domain not in sites]
        random = np.random.default_rng([seed, number])
        labelled = drawn(seen, size.labelled_pages, size.labelled_blocks, random)
        yield fold_of(labelled, drawn(allowed, size.pool_pages, size.pool_blocks, random), held_out)


def drawn(
    pages: Sequence[PageBlocks], count: int | None, blocks: int | None, random: np.random.Generator
) -> list[PageBlocks]:
    """So many pages, with so many blocks of each; a page without blocks does not count."""
    filled = [page for page in pages if len(page)]
    places = random.permutation(len(filled))[:count].tolist()
    return [filled[place].at_most(blocks, random) for place in places]


def fold_of(labelled: Sequence[PageBlocks], pool: Sequence[PageBlocks], held_out: Sequence[PageBlocks]) -> Fold:
    """The rows of both views; the vocabulary is that of the labelled pages and the pool."""
    known = {page.page for page in labelled}
    pool = [page for page in pool if page.page not in known]
    columns = vocabulary((terms for page in [*labelled, *pool] for terms in page.terms), least_rows=LEAST_BLOCKS)
    return Fold(
        labelled_rows(labelled, columns),
        np.array([page.domain for page in labelled for _ in page.labels]),
        ArrayPool.of(np.array([name for page in pool for name in page.ids], str), views_of(pool, columns)),
        labelled_rows(held_out, columns),
        (len(labelled), len(pool), len(held_out)),
    )


def labelled_rows(pages: Sequence[PageBlocks], columns: dict[str, int]) -> Labelled:
    """The blocks of pages below each other, with their labels."""
    ids = np.array([name for page in pages for name in page.ids])
    return Labelled(ids, np.array([label for page in pages for label in page.labels]), views_of(pages, columns))


def views_of(pages: Sequence[PageBlocks], columns: dict[str, int]) -> tuple[Features, Features]:
    """The two views, in the order of VIEWS: how blocks look, and what they say."""
    pages = [NOTHING, *pages]  # for a pool without pages
    style = np.concatenate([page.style for page in pages])
    lexical = np.concatenate([page.lexical for page in pages])
    words = Words.from_counts([terms for page in pages for terms in page.terms], columns)
    return Features.of(style), Features.of(lexical, words)
