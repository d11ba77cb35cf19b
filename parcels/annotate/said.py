"""What people said of leaves: of several rows with one key the latest counts, and `none` takes a label back."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from parcels.labels.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.store import Store

NONE = "none"  # the label of a leaf whose label was taken back
COLUMNS = ("page_id", "unit", "n", "block", "divider", "kind", "text", "is_link", "label", "annotator", "annotated_at",
           "rubric", "source", "crawl")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """What one person said last of one leaf."""

    label: str
    kind: str
    text: str
    block: int | None
    at: Any  # the time, or None

    @property
    def size(self) -> int:
        """The leaf's weight in its block's label."""
        return max(1, len(self.text)) if self.kind == "text" else IMAGE_CHARS


Leaves = dict[int, Said]  # of one page and one person, by the leaf's ordinal


class Everything:
    """The labels of a store in memory: a page at a time, a person at a time. Several threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.pages: dict[str, dict[str, Leaves]] = {}  # page_id -> annotator -> leaves
        self.version = 0

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Everything":
        """Gather rows of `annotations`."""
        found = cls()
        found.add(rows)
        return found

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take more rows, in any order."""
        for row in rows:
            if row.get("unit", "leaf") == "leaf":
                self._take(row)
        self.version += 1

    def _take(self, row: Mapping[str, Any]) -> None:
        said = Said(row["label"], row["kind"], row["text"], row.get("block"), row["annotated_at"])
        with self._lock:
            leaves = self.pages.setdefault(row["page_id"], {}).setdefault(row["annotator"], {})
            before = leaves.get(row["n"])
            if before is None or _is_later(said.at, before.at):
                leaves[row["n"]] = said

    def of_page(self, page_id: str) -> dict[str, Leaves]:
        """By annotator, the leaves that have a label now."""
        with self._lock:
            said = self.pages.get(page_id, {})
            kept = {who: {n: one for n, one in leaves.items() if one.label != NONE} for who, leaves in said.items()}
        return {who: leaves for who, leaves in kept.items() if leaves}

    def people(self, page_id: str) -> set[str]:
        """Return who has a label on a page now."""
        with self._lock:
            said = self.pages.get(page_id, {})
            return {who for who, leaves in said.items() if any(one.label != NONE for one in leaves.values())}

    def last_at(self, page_id: str, annotator: str) -> Any:
        """When a person last said something of a page; None where they did not, or nobody knows."""
        with self._lock:
            leaves = self.pages.get(page_id, {}).get(annotator, {})
            return max((one.at for one in leaves.values() if one.at is not None), default=None)


def _is_later(one: Any, other: Any) -> bool:
    return other is None or (one is not None and one >= other)


def stored_rows(store: Store, *, crawl: str | None = None) -> Iterator[dict[str, Any]]:
    """The rows of `annotations`."""
    for batch in store.batches("annotations", columns=list(COLUMNS), crawl=crawl):
        yield from batch.to_pylist()


def rows_in(store: Store, files: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of some files of `annotations`, for those who have read the others."""
    columns = [name for name in COLUMNS if name != "crawl"]  # which is in the path
    for path in files:
        try:
            with store.place.filesystem.open_input_file(path) as stream:
                rows: list[dict[str, Any]] = pq.ParquetFile(stream).read(columns=columns).to_pylist()
        except FileNotFoundError:  # merged into another one meanwhile
            continue
        yield from rows


def block_label(leaves: Sequence[Said]) -> str | None:
    """The label with most characters among a block's leaves, links inside the text counting as text; None of none.

    >>> block_label([Said("maincontent", "text", "Nobody", 0, None), Said("contentlink", "text", "x", 0, None)])
    'maincontent'
    """
    if not leaves:
        return None
    if all(one.label in INSIDE_TEXT for one in leaves):
        return leaves[0].label
    votes: Counter[str] = Counter()
    for one in leaves:
        votes[INSIDE_TEXT.get(one.label, one.label)] += one.size
    return min(votes, key=lambda label: (-votes[label], label))


def leaf_label(label: str, *, is_link: bool, is_alone: bool) -> str:
    """What a block's label says of one of its leaves: a link among the article's words is a link of the content.

    >>> leaf_label("maincontent", is_link=True, is_alone=False), leaf_label("sitenav", is_link=True, is_alone=False)
    ('contentlink', 'sitenav')
    """
    inside = {outer: inner for inner, outer in INSIDE_TEXT.items()}
    return inside.get(label, label) if is_link and not is_alone else label
