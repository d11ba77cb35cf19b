"""BF-RULEBASED (Kohlschuetter and Nejdl 2008): neighbouring runs of text with similar densities are joined.

Text density is words per line of 80 characters, without the last line. Some tags always begin a new segment and some
never do.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.html.tags import lookup

Ints = NDArray[np.int32]
LINE_CHARS = 80
ROUNDS = 20
_FORCES_GAP = lookup("h1 h2 h3 h4 h5 h6 ul dl ol hr table address img script")
_AVOIDS_GAP = lookup("a b br em font i s span strong sub sup tt u small big code abbr wbr")


def text_density(texts: list[str]) -> float:
    """Return the words per line of wrapped text; a single line counts by its own words.

    >>> text_density(["one two three"]), text_density(["word " * 32])
    (3.0, 16.0)
    """
    lines = [0]
    room = LINE_CHARS
    for word in (word for text in texts for word in text.split()):
        if len(word) + 1 > room and lines[-1]:
            lines.append(0)
            room = LINE_CHARS
        lines[-1] += 1
        room -= len(word) + 1
    return float(lines[0]) if len(lines) == 1 else sum(lines[:-1]) / (len(lines) - 1)


def clusters(page: Page, threshold: float) -> Ints:
    """Return the segment of each leaf."""
    clusters = np.zeros(len(page.leaves), np.int32)
    for number, (first, end) in enumerate(fused(page, threshold)):
        clusters[first:end] = number
    return clusters


def fused(page: Page, threshold: float) -> list[tuple[int, int]]:
    """Return the runs of leaves after joining neighbours until all differ by more than the threshold."""
    runs, is_forced = _atoms(page)
    texts = [_texts(page, first, end) for first, end in runs]
    densities = [text_density(own) for own in texts]
    for _ in range(ROUNDS):
        joined: list[int] = []  # first run of each joined run
        for number in range(len(runs)):
            if joined and not is_forced[number]:
                before = densities[joined[-1]]
                if _slope(before, densities[number]) <= threshold:
                    texts[joined[-1]] = texts[joined[-1]] + texts[number]
                    densities[joined[-1]] = text_density(texts[joined[-1]])
                    continue
            joined.append(number)
        if len(joined) == len(runs):
            break
        ends = [*(runs[number][0] for number in joined[1:]), runs[-1][1]]
        runs = [(runs[number][0], end) for number, end in zip(joined, ends, strict=True)]
        texts, densities = [texts[number] for number in joined], [densities[number] for number in joined]
        is_forced = [is_forced[number] for number in joined]
    return runs


def _slope(one: float, other: float) -> float:
    """Return the relative difference of two densities, from 0 to 1; 0 if either is 0, as for an image."""
    largest = max(one, other)
    return 0.0 if not one or not other else abs(one - other) / largest


def _texts(page: Page, first: int, end: int) -> list[str]:
    return [page.leaves.text[leaf] for leaf in range(first, end) if page.leaves.kind[leaf] == "text"]


def _atoms(page: Page) -> tuple[list[tuple[int, int]], list[bool]]:
    """Return the runs of leaves with only neutral tags between them, and whether a gap is forced before each."""
    tag, count = page.nodes.tag, len(page.leaves)
    if not count:
        return [], []
    starts, forced = [0], [True]
    owner = page.leaves.node.tolist()
    parent, last = page.nodes.parent.tolist(), page.nodes.last.tolist()
    opened = page.leaves.opened.tolist()
    for leaf in range(1, count):
        between = set(range(opened[leaf - 1], opened[leaf]))  # elements that open between the two
        row = owner[leaf - 1]
        while row >= 0 and last[row] < opened[leaf] - 1:  # and those that close
            between.add(row)
            row = parent[row]
        tags = tag[sorted(between)] if between else tag[:0]
        if _FORCES_GAP[tags].any():
            starts.append(leaf)
            forced.append(True)
        elif not _AVOIDS_GAP[tags].all():
            starts.append(leaf)
            forced.append(False)
    return list(zip(starts, [*starts[1:], count], strict=True)), forced
