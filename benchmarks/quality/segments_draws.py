"""Scores of marked pages over several draws of the folds: means of pages, their differences, and who is ahead."""

from collections.abc import Mapping, Sequence

import numpy as np

from parcels.segments.evaluate import Scores, interval
from parcels.segments.segmenters import BASELINES, DEFAULT

KEPT_SEED = 0
NEW_SEEDS = (101, 102, 103, 104, 105)  # nothing was ever chosen by them; by 0 to 8 much was
FRESH_SEEDS = (201, 202, 203)  # nor looked at before the prize for the informative segment was judged
SEEDS = (KEPT_SEED, *NEW_SEEDS, *FRESH_SEEDS)
FIELDS = ("ari", "nmi", "is_informative_right", "is_sole_right")
INFORMATIVE = FIELDS[2:]  # of all pages with one informative block of the level; of those that have no other anywhere
AHEAD = 0.05  # ARI over every baseline
TIE = 1e-9  # a mean of draws that is not above this is no lead but rounding

Means = dict[str, dict[str, dict[str, float]]]  # by segmenter, score and page, over draws


def page_means(draws: Sequence[Scores]) -> Means:
    """Each page's scores, averaged over the draws of the folds; a page that does not have a score is left out of it."""
    names = {name: sorted(page.page for page in pages) for name, pages in draws[0].items()}
    if any({name: sorted(page.page for page in pages) for name, pages in draw.items()} != names for draw in draws):
        raise ValueError("the draws do not score the same pages")
    found: Means = {}
    for name in names:
        rows = [sorted(draw[name], key=lambda page: page.page) for draw in draws]
        found[name] = {
            field: {
                pages[0].page: float(np.mean([getattr(page, field) for page in pages]))
                for pages in zip(*rows, strict=True)
                if getattr(pages[0], field) is not None
            }
            for field in FIELDS
        }
    return found


def lead(means: Means, own: str, other: str, field: str) -> list[float]:
    """Page by page, how much better one segmenter is than another."""
    theirs = means[other][field]
    return [value - theirs[page] for page, value in means[own][field].items()]


def shortfalls(by_level: Mapping[int, Means]) -> list[str]:
    """Return the marks missed: the default must beat every baseline by ARI, wps-slack by both informative counts."""
    missed = []
    for level, means in by_level.items():
        for name in BASELINES:
            by_ari = float(np.mean(lead(means, DEFAULT, name, "ari")))
            if by_ari < AHEAD:
                missed.append(f"level {level}, ari: {DEFAULT} less {name} is {by_ari:+.3f}, asked {AHEAD:+.3f}")
            for field in INFORMATIVE:
                by_count = float(np.mean(lead(means, "wps-slack", name, field)))
                if by_count <= TIE:
                    missed.append(f"level {level}, {field}: wps-slack less {name} is {by_count:+.3f}")
    return missed


def told(values: Sequence[float], *, sign: str = "") -> str:
    """A mean with 95 % of the means of pages drawn again.

    >>> told([0.5, 0.5]), told([0.25, 0.25], sign="+")
    ('0.500 (0.500 to 0.500)', '+0.250 (+0.250 to +0.250)')
    """
    low, high = interval(values)
    return f"{np.mean(values):{sign}.3f} ({low:{sign}.3f} to {high:{sign}.3f})"
