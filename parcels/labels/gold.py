"""Gold labels of leaves: their alignment with the leaves of a page, and the labels of blocks."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from parcels.divide import Division
from parcels.errors import ConfigError
from parcels.html.page import Page

IMAGE_CHARS = 20  # weight of an image or control in a vote
UNKNOWN = ""  # the label of a block without gold
INSIDE_TEXT = {"contentlink": "maincontent"}  # labels of leaves that are never a block's own


@dataclass(frozen=True, slots=True)
class GoldLeaf:
    """A leaf with a label by a person."""

    block: int  # the reference block that it belongs to
    kind: str
    text: str
    label: str

    @property
    def size(self) -> int:
        """Weight in a vote."""
        return max(1, len(self.text)) if self.kind == "text" else IMAGE_CHARS


@dataclass(frozen=True, slots=True)
class Gold:
    """The labelled leaves of a page, and the index of each among the page's own leaves, or -1."""

    leaves: list[GoldLeaf]
    at: list[int]


def read_gold(file: Path) -> list[GoldLeaf]:
    """Read the labelled leaves of a gold file (`{"leaves": [{"block", "kind", "text", "label"}]}`)."""
    try:
        rows = json.loads(file.read_text("utf-8"))["leaves"]
        leaves = [GoldLeaf(int(row["block"]), row["kind"], row["text"], row["label"]) for row in rows]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{file} is not a file of gold labels ({type(error).__name__}: {error})") from error
    return [leaf for leaf in leaves if leaf.label != "none"]


def find(page: Page, leaves: list[GoldLeaf], ordinals: Sequence[int] | None = None) -> Gold:
    """Align labelled leaves with a page, by their ordinals if these all match, else by order and text.

    >>> from parcels.html.page import read_page
    >>> page = read_page("<p>New<p>One <b>two</b>")
    >>> find(page, [GoldLeaf(0, "text", "One", "title"), GoldLeaf(0, "text", "two", "title")]).at
    [1, 2]
    """
    ours = [_key(kind, text) for kind, text in zip(page.leaves.kind, page.leaves.text, strict=True)]
    theirs = [_key(leaf.kind, leaf.text) for leaf in leaves]
    if ordinals is not None and [ours[n] if 0 <= n < len(ours) else None for n in ordinals] == theirs:
        return Gold(leaves, list(ordinals))
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    at = [-1] * len(leaves)
    for match in matcher.get_matching_blocks():
        at[match.a : match.a + match.size] = range(match.b, match.b + match.size)
    return Gold(leaves, at)


def find_in_copy(copy: Page, page: Page, gold: Gold) -> Gold:
    """Align the labelled leaves of a page with a copy in other markup; all leaves of the page take part.

    >>> from parcels.html.page import read_page
    >>> page = read_page("<p>Share<p>One<p>Share")
    >>> gold = Gold([GoldLeaf(2, "text", "Share", "sitenav")], [2])
    >>> find_in_copy(read_page("<div>Share</div>One<div>Share</div>"), page, gold).at
    [2]
    """
    every = [GoldLeaf(0, kind, text, UNKNOWN) for kind, text in zip(page.leaves.kind, page.leaves.text, strict=True)]
    places = find(copy, every).at
    return Gold(gold.leaves, [places[at] if at >= 0 else -1 for at in gold.at])


def _key(kind: str, text: str) -> str:
    return "".join(text.split()).lower() if kind == "text" else f"<{kind}>"


def block_labels(gold: Gold, division: Division) -> list[str]:
    """Return for each block the label with most characters, or UNKNOWN."""
    votes: list[Counter[str]] = [Counter() for _ in range(len(division))]
    blocks = (np.searchsorted(division.first, gold.at, "right") - 1).tolist()
    for leaf, at, block in zip(gold.leaves, gold.at, blocks, strict=True):
        if at >= 0:
            votes[block][INSIDE_TEXT.get(leaf.label, leaf.label)] += leaf.size
    return [vote.most_common(1)[0][0] if vote else UNKNOWN for vote in votes]
