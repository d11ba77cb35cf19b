"""Scores of labels over reference blocks, which do not depend on the divider.

The gold and the predicted label of a reference block are those with most of its characters. A link inside the main text
counts as main text there, and has its own F1 over leaves.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from parcels.labels.gold import INSIDE_TEXT, Gold

LINK = "contentlink"
SAMPLES = 300  # of the bootstrap


@dataclass(slots=True)
class PageScore:
    """The counts of one page."""

    page: str
    site: str
    blocks: int = 0
    wrong_blocks: int = 0
    chars: int = 0
    wrong_chars: int = 0
    leaves: int = 0
    lost: int = 0
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)  # (gold, predicted) of reference blocks
    links: Counter[str] = field(default_factory=Counter)  # right, missed, false: links inside the text, over leaves


def score_page(page: str, site: str, gold: Gold, labels: Sequence[str | None]) -> PageScore:
    """Score the labels of a page's leaves against gold."""
    counts = PageScore(page, site)
    votes: dict[int, tuple[Counter[str], Counter[str]]] = {}
    for leaf, at in zip(gold.leaves, gold.at, strict=True):
        predicted = labels[at] if at >= 0 else None
        counts.leaves += 1
        counts.lost += at < 0
        counts.chars += leaf.size
        if predicted != leaf.label and not (leaf.label == LINK and predicted == INSIDE_TEXT[LINK]):
            counts.wrong_chars += leaf.size
        if LINK in (leaf.label, predicted):
            counts.links["right" if leaf.label == predicted else "missed" if leaf.label == LINK else "false"] += 1
        ours, theirs = votes.setdefault(leaf.block, (Counter(), Counter()))
        ours[INSIDE_TEXT.get(leaf.label, leaf.label)] += leaf.size
        theirs[INSIDE_TEXT.get(predicted, predicted) if predicted else ""] += leaf.size
    for ours, theirs in votes.values():
        pair = ours.most_common(1)[0][0], theirs.most_common(1)[0][0]
        counts.pairs[pair] += 1
        counts.blocks += 1
        counts.wrong_blocks += pair[0] != pair[1]
    return counts


@dataclass(frozen=True, slots=True)
class Score:
    """The score of many pages."""

    pages: int
    blocks: int
    block_error: float
    char_error: float
    macro_f1: float
    lost: int
    f1: dict[str, float]
    support: dict[str, int]  # reference blocks (leaves for links) of each label
    confusion: Counter[tuple[str, str]]  # (gold, predicted) where they differ


def score(pages: Sequence[PageScore], labels: Iterable[str]) -> Score:
    """Return the score of all pages.

    >>> one = PageScore("a", "a.example", blocks=2, wrong_blocks=1, chars=10, wrong_chars=3)
    >>> one.pairs.update({("title", "title"): 1, ("ads", "sitenav"): 1})
    >>> total = score([one], ["title", "ads", "sitenav"])
    >>> total.block_error, total.char_error, total.f1
    (0.5, 0.3, {'title': 1.0, 'ads': 0.0})
    """
    pairs: Counter[tuple[str, str]] = Counter()
    links: Counter[str] = Counter()
    for page in pages:
        pairs.update(page.pairs)
        links.update(page.links)
    f1, support = {}, {}
    for label in labels:
        right = links["right"] if label == LINK else pairs[label, label]
        gold = right + links["missed"] if label == LINK else sum(n for (g, _), n in pairs.items() if g == label)
        predicted = right + links["false"] if label == LINK else sum(n for (_, p), n in pairs.items() if p == label)
        if gold:
            f1[label], support[label] = 2 * right / (gold + predicted), gold
    blocks, chars = sum(page.blocks for page in pages), sum(page.chars for page in pages)
    return Score(
        len(pages),
        blocks,
        sum(page.wrong_blocks for page in pages) / max(1, blocks),
        sum(page.wrong_chars for page in pages) / max(1, chars),
        sum(f1.values()) / max(1, len(f1)),
        sum(page.lost for page in pages),
        f1,
        support,
        Counter({pair: n for pair, n in pairs.items() if pair[0] != pair[1]}),
    )


def interval(pages: Sequence[PageScore], labels: Sequence[str], *, seed: int = 0) -> dict[str, tuple[float, float]]:
    """Return 95 % bootstrap intervals of the errors and the macro F1, over sites."""
    sites = sorted({page.site for page in pages})
    by_site = {site: [page for page in pages if page.site == site] for site in sites}
    draws = np.random.default_rng(seed)
    samples = []
    for _ in range(SAMPLES):
        drawn = [page for n in draws.integers(len(sites), size=len(sites)).tolist() for page in by_site[sites[n]]]
        one = score(drawn, labels)
        samples.append((one.block_error, one.char_error, one.macro_f1))
    low, high = np.percentile(np.array(samples), [2.5, 97.5], axis=0).tolist()
    return {name: (low[n], high[n]) for n, name in enumerate(("block_error", "char_error", "macro_f1"))}
