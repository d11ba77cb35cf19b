"""The labels that people gave to leaves, in memory: of several rows with one key the latest counts.

A row with the label `none` removes a label.
"""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from parcels.labels.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.store import Store

NONE = "none"  # the label of a row that removes a label
COLUMNS = ("page_id", "unit", "n", "block", "divider", "kind", "text", "is_link", "label", "annotator", "annotated_at",
           "rubric", "source", "crawl")  # fmt: skip


@dataclass(frozen=True, slots=True)
class LeafLabel:
    """The latest label that one annotator gave to one leaf."""

    label: str
    kind: str
    text: str
    block: int | None
    at: Any  # the time, or None

    @property
    def size(self) -> int:
        """Return the weight of the leaf in its block's label."""
        return max(1, len(self.text)) if self.kind == "text" else IMAGE_CHARS


LeafLabels = dict[int, LeafLabel]  # of one page and one annotator, by the leaf's ordinal


class LabelIndex:
    """The labels of a store in memory, by page and annotator. Several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.pages: dict[str, dict[str, LeafLabels]] = {}  # page_id -> annotator -> leaves
        self.version = 0

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "LabelIndex":
        """Build an index from rows of `annotations`."""
        index = cls()
        index.add(rows)
        return index

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows in any order."""
        for row in rows:
            if row.get("unit", "leaf") == "leaf":
                self._add_row(row)
        self.version += 1

    def _add_row(self, row: Mapping[str, Any]) -> None:
        label = LeafLabel(row["label"], row["kind"], row["text"], row.get("block"), row["annotated_at"])
        with self._lock:
            leaves = self.pages.setdefault(row["page_id"], {}).setdefault(row["annotator"], {})
            before = leaves.get(row["n"])
            if before is None or _is_later(label.at, before.at):
                leaves[row["n"]] = label

    def of_page(self, page_id: str) -> dict[str, LeafLabels]:
        """Return the labelled leaves of a page, by annotator."""
        with self._lock:
            by_annotator = self.pages.get(page_id, {})
            kept = {
                annotator: {n: leaf for n, leaf in leaves.items() if leaf.label != NONE}
                for annotator, leaves in by_annotator.items()
            }
        return {annotator: leaves for annotator, leaves in kept.items() if leaves}

    def annotators_of(self, page_id: str) -> set[str]:
        """Return the annotators with at least one label on a page."""
        with self._lock:
            by_annotator = self.pages.get(page_id, {})
            return {name for name, leaves in by_annotator.items() if any(one.label != NONE for one in leaves.values())}

    def last_at(self, page_id: str, annotator: str) -> Any:
        """Return the time of an annotator's latest label on a page; None where there is none or its time is unknown."""
        with self._lock:
            leaves = self.pages.get(page_id, {}).get(annotator, {})
            return max((leaf.at for leaf in leaves.values() if leaf.at is not None), default=None)


def _is_later(time: Any, other: Any) -> bool:
    return other is None or (time is not None and time >= other)


def stored_rows(store: Store, *, crawl: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the rows of `annotations`."""
    for batch in store.batches("annotations", columns=list(COLUMNS), crawl=crawl):
        yield from batch.to_pylist()


def rows_in(store: Store, files: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the given files of `annotations`."""
    columns = [name for name in COLUMNS if name != "crawl"]  # which is in the path
    for path in files:
        try:
            with store.location.filesystem.open_input_file(path) as stream:
                rows: list[dict[str, Any]] = pq.ParquetFile(stream).read(columns=columns).to_pylist()
        except FileNotFoundError:  # compacted into another file since the list was made
            continue
        yield from rows


def block_label(leaves: Sequence[LeafLabel]) -> str | None:
    """Return the label with most characters among a block's leaves; None for no leaves.

    Links inside the text count as text.

    >>> link = LeafLabel("contentlink", "text", "x", 0, None)
    >>> block_label([LeafLabel("maincontent", "text", "Nobody", 0, None), link])
    'maincontent'
    """
    if not leaves:
        return None
    if all(leaf.label in INSIDE_TEXT for leaf in leaves):
        return leaves[0].label
    votes: Counter[str] = Counter()
    for leaf in leaves:
        votes[INSIDE_TEXT.get(leaf.label, leaf.label)] += leaf.size
    return min(votes, key=lambda label: (-votes[label], label))


def label_for_leaf(label: str, *, is_link: bool, is_alone: bool) -> str:
    """Return the label of a leaf in a block with a label: a link inside the article's text is a `contentlink`.

    >>> label_for_leaf("maincontent", is_link=True, is_alone=False)
    'contentlink'
    >>> label_for_leaf("sitenav", is_link=True, is_alone=False)
    'sitenav'
    """
    inside = {outer: inner for inner, outer in INSIDE_TEXT.items()}
    return inside.get(label, label) if is_link and not is_alone else label
