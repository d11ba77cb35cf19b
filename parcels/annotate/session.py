"""An annotation session: the pages, the labels of all annotators, and the one way to save a label."""

import datetime as dt
import re
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from parcels.annotate.journal import SUFFIX, Journal, read_journal, seal, seal_orphans
from parcels.annotate.label_index import NONE, LabelIndex, block_label, label_for_leaf, rows_in
from parcels.annotate.page_sources import DIVIDER, OpenedPage, PageSource
from parcels.annotate.vote import MAX_ANNOTATORS
from parcels.errors import ConfigError, RetryLater, SkipRecord
from parcels.labels import LabelSet, label_set
from parcels.store import Store

MAX_OPEN_PAGES = 12  # kept in memory
MAX_KNOWN_STEPS = 10_000  # steps that a browser may send again
IDLE_SECONDS, MAX_SECONDS = 20.0, 300.0  # without a new label, and in all, before a journal goes into the table
STEP = re.compile(r"[A-Za-z0-9-]{8,64}")


class AnnotationSession:
    """The state behind the annotator's server. Several threads may use it."""

    def __init__(
        self, source: PageSource, *, store: Store | None = None, journals: Path | None = None, crawl: str | None = None,
        labels: LabelSet | None = None, max_annotators: int = MAX_ANNOTATORS,
    ):  # fmt: skip
        self.source, self.store, self.journals, self.crawl = source, store, journals, crawl
        self.max_annotators = max_annotators
        self.label_set = labels or label_set()
        self.rubric = f"{self.label_set.name}@{self.label_set.version}"
        self.label_index = LabelIndex()
        self.recovered = 0  # labels in journals that ended processes had left
        self._lock = threading.RLock()
        self._open: OrderedDict[str, Future[OpenedPage]] = OrderedDict()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="pages")
        self._journal: Journal | None = None
        self._steps: OrderedDict[str, None] = OrderedDict()
        self._last_at = dt.datetime.min.replace(tzinfo=dt.UTC)
        self._first_unsealed = self._last_save = 0.0
        self._files: set[str] = set()
        self._leaf_counts: dict[str, int] = {}
        self.curve_lock = threading.Lock()
        self.curve: tuple[int, dict[str, Any]] | None = None  # the version of the labels, and the curve
        self.listing_lock = threading.Lock()
        self.listing: Any = None  # built on first use
        self.measured: dict[str, Any] = {}  # the curve's input per page
        if store is not None and journals is not None:
            for path in sorted(journals.glob(f"*{SUFFIX}")) if journals.is_dir() else ():
                self._steps.update((row["step"], None) for row in read_journal(path))  # a browser may send them again
            self.recovered = seal_orphans(store, journals)
            self.refresh()

    @property
    def is_saving(self) -> bool:
        """False in a session that only shows pages."""
        return self.store is not None and self.journals is not None

    # pages

    def open(self, page: str) -> OpenedPage:
        """Return a page; raise KeyError for an unknown id, SkipRecord for a page that cannot be read."""
        return self.begin(page).result()

    def begin(self, page: str) -> "Future[OpenedPage]":
        """Start opening a page in the background and return its future."""
        if page not in self.source.entries:
            raise KeyError(page)
        with self._lock:
            opening = self._open.get(page)
            if opening is None or (opening.done() and opening.exception() is not None):
                opening = self._open[page] = self._pool.submit(self._opened, page)
            self._open.move_to_end(page)
            while len(self._open) > MAX_OPEN_PAGES:
                self._open.popitem(last=False)
            return opening

    def _opened(self, page: str) -> OpenedPage:
        opened = self.source.open(page)
        _ = opened.html, opened.blocks
        self._leaf_counts[page] = len(opened.page.leaves)
        return opened

    def leaf_count(self, page: str) -> int:
        """Return the number of leaves of a page; 0 where it cannot be read."""
        if page not in self._leaf_counts:
            try:
                self.open(page)
            except SkipRecord:
                self._leaf_counts[page] = 0
        return self._leaf_counts[page]

    # labels

    def refresh(self) -> None:
        """Load labels that other processes have written to the table or to their journals."""
        if self.store is None or self.journals is None:
            return
        files = {file.path for file in self.store.files("annotations", crawl=self.crawl)}
        with self._lock:
            if files - self._files:
                self.label_index.add(rows_in(self.store, sorted(files - self._files)))
            self._files = files
            for path in sorted(self.journals.glob(f"*{SUFFIX}")) if self.journals.is_dir() else ():
                if self._journal is None or path != self._journal.path:
                    self.label_index.add(read_journal(path))

    def own_labels(self, page: str, annotator: str) -> dict[int, str]:
        """Return one annotator's labels of a page's blocks."""
        return self.labels_of(self.open(page), annotator)

    def labels_of(self, opened: OpenedPage, annotator: str) -> dict[int, str]:
        """Return one annotator's labels of an open page; only those whose leaf still has the labelled text."""
        leaves = self.label_index.of_page(opened.entry.page_id).get(annotator, {})
        labels = {}
        texts = opened.page.leaves.text
        for n, (first, end) in enumerate(opened.ranges):
            own = [leaves[leaf] for leaf in range(first, end) if leaf in leaves and leaves[leaf].text == texts[leaf]]
            label = block_label(own)
            if label is not None:
                labels[n] = label
        return labels

    def save(self, page: str, annotator: str, step: str, labels: Mapping[int, str | None]) -> tuple[int, int]:
        """Save labels of blocks; return the version of the annotator's labels of this page before and after.

        The labels are on disk when this returns. A step that is sent twice is saved once.
        """
        if not self.is_saving:
            raise ConfigError("This session saves no labels. To label pages, run: parcels annotate --store STORE")
        opened = self.open(page)
        rows = list(self._rows(opened, annotator, step, labels))
        with self._lock:
            before = self.version_of(page, annotator)
            if step in self._steps:
                return before, before
            assert self.journals is not None
            now = max(dt.datetime.now(dt.UTC), self._last_at + dt.timedelta(microseconds=1))
            self._last_at = now
            for row in rows:
                row["annotated_at"] = now
            if self._journal is None:
                self._journal = Journal(self.journals)
                self._first_unsealed = time.monotonic()
            self._journal.append(rows)
            self._last_save = time.monotonic()
            self._steps[step] = None
            while len(self._steps) > MAX_KNOWN_STEPS:
                self._steps.popitem(last=False)
            self.label_index.add(rows)
            return before, self.version_of(page, annotator)

    def version_of(self, page: str, annotator: str) -> int:
        """Return a number that grows with every label of an annotator on a page; 0 without labels."""
        last = self.label_index.last_at(page, annotator)
        return 0 if last is None else round(last.timestamp() * 1e6)

    def _rows(self, opened: OpenedPage, annotator: str, step: str, labels: Mapping[int, str | None]) -> Any:
        leaves = opened.page.leaves
        for n, label in labels.items():
            first, end = opened.ranges[n]
            for leaf in range(first, end):
                is_link = bool(leaves.is_link[leaf])
                is_alone = bool(leaves.is_link[first:end].all())
                yield {
                    "page_id": opened.entry.page_id, "crawl": opened.entry.crawl, "n": leaf, "block": n,
                    "divider": DIVIDER, "kind": leaves.kind[leaf], "text": leaves.text[leaf], "is_link": is_link,
                    "label": label_for_leaf(label, is_link=is_link, is_alone=is_alone) if label else NONE,
                    "annotator": annotator, "rubric": self.rubric, "step": step,
                }  # fmt: skip

    def check(self, page: str, step: str, labels: Any) -> dict[int, str | None]:
        """Return the labels of a request as a mapping; raise ConfigError where they are invalid."""
        if not STEP.fullmatch(step):
            raise ConfigError(f"Invalid step {step!r:.80}: use 8 to 64 letters, digits and '-'.")
        blocks = len(self.open(page).ranges)
        names = set(self.label_set.names)
        if not isinstance(labels, list) or not labels or len(labels) > blocks:
            raise ConfigError(f"`labels` must be a list of 1 to {blocks} pairs [block, label].")
        checked: dict[int, str | None] = {}
        for pair in labels:
            n, label = pair if isinstance(pair, Sequence) and len(pair) == 2 else (None, None)
            if type(n) is not int or not 0 <= n < blocks:
                raise ConfigError(f"Block {n!r:.40} does not exist on this page, which has {blocks} blocks.")
            if label is not None and label not in names:
                raise ConfigError(f"Unknown label {label!r:.40}.")
            checked[n] = label
        return checked

    # the table

    @property
    def unsealed(self) -> int:
        """Rows in the journal that are not in the table yet."""
        with self._lock:
            return self._journal.count if self._journal else 0

    def seal_if_idle(self, *, idle: float = IDLE_SECONDS, longest: float = MAX_SECONDS) -> int:
        """Seal the journal when nothing was saved for a while, or its first row is old."""
        now = time.monotonic()
        with self._lock:
            if self._journal is None or (now - self._last_save < idle and now - self._first_unsealed < longest):
                return 0
        return self.seal()

    def seal(self) -> int:
        """Write the journal's rows to the table and return their number."""
        with self._lock:
            journal = self._journal
            if journal is None or self.store is None:
                return 0
            journal.keep()
            self._journal = None
            try:
                return seal(self.store, journal.path)
            finally:
                journal.close()

    def close(self) -> None:
        """Seal and stop; where the store is unreachable, save the labels to a file and raise RetryLater."""
        try:
            self.seal()
        except OSError as error:
            if self._journal is None:  # its file is there, and the next start seals it
                raise RetryLater(
                    f"The labels are in the journal, but not in the table yet: {error}. Start parcels annotate again."
                ) from error
            copy = self._journal.rescue(Path(tempfile.mkdtemp(prefix="parcels-labels-")))
            raise RetryLater(
                f"The store cannot be reached ({error}). {self._journal.count:,} labels of leaves are saved in {copy}: "
                f"when the store is back, move this file to {self._journal.path.parent} and run parcels annotate"
            ) from error
        finally:
            self._pool.shutdown(cancel_futures=True)
