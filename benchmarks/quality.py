"""Pinned scores on the labelled corpora: `python -m benchmarks.quality` fails where one is below its floor.

A floor holds for the corpus whose hash stands beside it, and only rises: raise it in the commit that earns it.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import NamedTuple

from benchmarks import corpora
from parcels.divide import coarse, fine
from parcels.divide.division import Division
from parcels.errors import InputMissing
from parcels.page import Page, read_page

IMAGE_CHARS = 20  # what an image weighs in a vote


class Floor(NamedTuple):
    """The least that a score may be, and the corpus it was seen on."""

    corpus: str
    fingerprint: str
    least: float


class Leaf(NamedTuple):
    """A gold leaf that the page has too, with its place in the page's leaves."""

    at: int
    label: str
    size: int


def gold(page: Page) -> tuple[list[Leaf], int]:
    """The gold leaves that the page has, in order, and how many there are in all."""
    rows = json.loads((corpora.folder() / "news17" / "gold" / f"{page.name}.json").read_text())["leaves"]
    rows = [row for row in rows if row["label"] != "none"]
    ours = [_key(kind, text) for kind, text in zip(page.leaves.kind, page.leaves.text, strict=True)]
    matcher = SequenceMatcher(None, [_key(row["kind"], row["text"]) for row in rows], ours, autojunk=False)
    found = []
    for match in matcher.get_matching_blocks():
        for step in range(match.size):
            row = rows[match.a + step]
            label = "maincontent" if row["label"] == "contentlink" else row["label"]
            size = max(1, len(row["text"])) if row["kind"] == "text" else IMAGE_CHARS
            found.append(Leaf(match.b + step, label, size))
    return found, len(rows)


def _key(kind: str, text: str) -> str:
    return "".join(text.split()).lower() if kind == "text" else f"<{kind}>"


LEVELS = dict.fromkeys(
    ["title", "maincontent", "contentimage", "subheaders", "timestamp", "reporter", "source", "country"], "important"
) | {"suppcontent": "related", "relatedlinks": "related"}


def purity(divide: Callable[[Page], Division], value: Callable[[str], str]) -> float:
    """Share of the gold's characters that have the commonest label of their block: the best that labels can reach."""
    total = right = 0
    for raw in corpora.pages("news17"):
        page = read_page(raw.html, name=raw.name)
        votes: list[Counter[str]] = []
        block_of = {}
        for number, (first, end) in enumerate(divide(page).ranges()):
            votes.append(Counter())
            block_of.update(dict.fromkeys(range(first, end), number))
        for leaf in gold(page)[0]:
            votes[block_of[leaf.at]][value(leaf.label)] += leaf.size
        total += sum(vote.total() for vote in votes)
        right += sum(max(vote.values()) for vote in votes if vote)
    return right / total


def leaves_found() -> float:
    """Share of the gold leaves that the walk finds, in order."""
    counts = [(len(found), count) for found, count in (gold(_page(raw)) for raw in corpora.pages("news17"))]
    return sum(found for found, _ in counts) / sum(count for _, count in counts)


def _page(raw: corpora.RawPage) -> Page:
    return read_page(raw.html, name=raw.name)


SCORES: dict[str, Callable[[], float]] = {
    "leaves found": leaves_found,
    "fine blocks, purity of 17 labels": lambda: purity(fine.divide, str),
    "coarse blocks, purity of 3 levels": lambda: purity(coarse.divide, lambda label: LEVELS.get(label, "unrelated")),
}
NEWS17 = "4e8c181ebed91678"
FLOORS = {
    "leaves found": Floor("news17", NEWS17, 0.9995),
    "fine blocks, purity of 17 labels": Floor("news17", NEWS17, 0.9945),
    "coarse blocks, purity of 3 levels": Floor("news17", NEWS17, 0.973),
}


def main() -> int:
    missed = 0
    for name, floor in FLOORS.items():
        seen = corpora.fingerprint(floor.corpus)
        if seen != floor.fingerprint:
            print(
                f"{name}: {floor.corpus} is {seen}, the floor was set on {floor.fingerprint}: measure and set it anew"
            )
            missed += 1
            continue
        score = SCORES[name]()
        is_below = score < floor.least
        missed += is_below
        print(
            f"{'BELOW' if is_below else 'ok':<6} {name:<36} {score:.4f}  floor {floor.least}  ({floor.corpus} {seen})"
        )
    return 4 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except InputMissing as error:
        sys.exit(f"quality: {error}")
