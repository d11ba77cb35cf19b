"""The desk: the pages, what everybody said of them, and the one way in which a label is saved."""

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
from parcels.annotate.said import NONE, Everything, block_label, leaf_label, rows_in
from parcels.annotate.shelf import DIVIDER, OpenPage, Shelf
from parcels.annotate.vote import MOST_ANNOTATORS
from parcels.errors import ConfigError, RetryLater, SkipRecord
from parcels.labels import LabelSet, label_set
from parcels.store import Store

OPEN_PAGES = 12  # kept in memory
REMEMBERED_STEPS = 10_000  # steps that a browser may send again
QUIET_SECONDS, LONGEST_SECONDS = 20.0, 300.0  # without a new label, and in all, before a journal goes into the table
STEP = re.compile(r"[A-Za-z0-9-]{8,64}")


class Desk:
    """What the server works with; several threads may use it."""

    def __init__(
        self, shelf: Shelf, *, store: Store | None = None, journals: Path | None = None, crawl: str | None = None,
        labels: LabelSet | None = None, most: int = MOST_ANNOTATORS,
    ):  # fmt: skip
        self.shelf, self.store, self.journals, self.crawl, self.most = shelf, store, journals, crawl, most
        self.labels = labels or label_set()
        self.rubric = f"{self.labels.name}@{self.labels.version}"
        self.said = Everything()
        self.adopted = 0  # labels that a dead process had not put into the table
        self._lock = threading.RLock()
        self._open: OrderedDict[str, Future[OpenPage]] = OrderedDict()
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="pages")
        self._journal: Journal | None = None
        self._steps: OrderedDict[str, None] = OrderedDict()
        self._last_at = dt.datetime.min.replace(tzinfo=dt.UTC)
        self._first_unsealed = self._last_save = 0.0
        self._files: set[str] = set()
        self._leaf_counts: dict[str, int] = {}
        self.curve_lock = threading.Lock()
        self.curve: tuple[int, dict[str, Any]] | None = None  # the version of the labels it was made of, and it
        self.listing_lock = threading.Lock()
        self.listing: Any = None  # of the pages, made when somebody asks for the list
        self.measured: dict[str, Any] = {}  # what the curve's learner reads of each page
        if store is not None and journals is not None:
            for path in sorted(journals.glob(f"*{SUFFIX}")) if journals.is_dir() else ():
                self._steps.update((row["step"], None) for row in read_journal(path))  # a browser may send them again
            self.adopted = seal_orphans(store, journals)
            self.refresh()

    @property
    def is_saving(self) -> bool:
        """False where pages are only looked at."""
        return self.store is not None and self.journals is not None

    # pages

    def open(self, page: str) -> OpenPage:
        """A page, opened once; KeyError for an unknown id, SkipRecord for one that cannot be read."""
        return self.begin(page).result()

    def begin(self, page: str) -> "Future[OpenPage]":
        """Open a page in the background."""
        if page not in self.shelf.entries:
            raise KeyError(page)
        with self._lock:
            found = self._open.get(page)
            if found is None or (found.done() and found.exception() is not None):
                found = self._open[page] = self._pool.submit(self._opened, page)
            self._open.move_to_end(page)
            while len(self._open) > OPEN_PAGES:
                self._open.popitem(last=False)
            return found

    def _opened(self, page: str) -> OpenPage:
        found = self.shelf.open(page)
        _ = found.html, found.blocks
        self._leaf_counts[page] = len(found.page.leaves)
        return found

    def leaf_count(self, page: str) -> int:
        """How many leaves a page has; none where it cannot be read."""
        if page not in self._leaf_counts:
            try:
                self.open(page)
            except SkipRecord:
                self._leaf_counts[page] = 0
        return self._leaf_counts[page]

    # labels

    def refresh(self) -> None:
        """Take in what other processes have put into the table, or into journals that they still write."""
        if self.store is None or self.journals is None:
            return
        files = {file.path for file in self.store.files("annotations", crawl=self.crawl)}
        with self._lock:
            if files - self._files:
                self.said.add(rows_in(self.store, sorted(files - self._files)))
            self._files = files
            for path in sorted(self.journals.glob(f"*{SUFFIX}")) if self.journals.is_dir() else ():
                if self._journal is None or path != self._journal.path:
                    self.said.add(read_journal(path))

    def own_labels(self, page: str, annotator: str) -> dict[int, str]:
        """What one person said of a page's blocks; nobody sees what others said."""
        return self.labels_of(self.open(page), annotator)

    def labels_of(self, opened: OpenPage, annotator: str) -> dict[int, str]:
        """The same of an open page; a label counts where the page still has the text that was labelled."""
        leaves = self.said.of_page(opened.entry.page_id).get(annotator, {})
        found = {}
        texts = opened.page.leaves.text
        for n, (first, end) in enumerate(opened.ranges):
            own = [leaves[leaf] for leaf in range(first, end) if leaf in leaves and leaves[leaf].text == texts[leaf]]
            label = block_label(own)
            if label is not None:
                found[n] = label
        return found

    def save(self, page: str, annotator: str, step: str, labels: Mapping[int, str | None]) -> tuple[int, int]:
        """Save what a person says of some blocks; returns the versions of their labels of this page, before and now.

        It is on the disk when this returns. A step that comes twice is saved once.
        """
        if not self.is_saving:
            raise ConfigError("this page is only looked at: parcels annotate --store STORE saves labels")
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
            while len(self._steps) > REMEMBERED_STEPS:
                self._steps.popitem(last=False)
            self.said.add(rows)
            return before, self.version_of(page, annotator)

    def version_of(self, page: str, annotator: str) -> int:
        """Grows with whatever one person says of a page, in whatever process; 0 where they said nothing."""
        last = self.said.last_at(page, annotator)
        return 0 if last is None else round(last.timestamp() * 1e6)

    def _rows(self, opened: OpenPage, annotator: str, step: str, labels: Mapping[int, str | None]) -> Any:
        leaves = opened.page.leaves
        for n, label in labels.items():
            first, end = opened.ranges[n]
            for leaf in range(first, end):
                is_link = bool(leaves.is_link[leaf])
                is_alone = bool(leaves.is_link[first:end].all())
                yield {
                    "page_id": opened.entry.page_id, "crawl": opened.entry.crawl, "n": leaf, "block": n,
                    "divider": DIVIDER, "kind": leaves.kind[leaf], "text": leaves.text[leaf], "is_link": is_link,
                    "label": leaf_label(label, is_link=is_link, is_alone=is_alone) if label else NONE,
                    "annotator": annotator, "rubric": self.rubric, "step": step,
                }  # fmt: skip

    def check(self, page: str, step: str, labels: Any) -> dict[int, str | None]:
        """Return the labels that a browser sent, checked; ConfigError says what is wrong with them."""
        if not STEP.fullmatch(step):
            raise ConfigError("a step has an id of 8 to 64 letters, digits and -")
        blocks = len(self.open(page).ranges)
        names = set(self.labels.names)
        if not isinstance(labels, list) or not labels or len(labels) > blocks:
            raise ConfigError("labels is a list of [block, label]")
        found: dict[int, str | None] = {}
        for pair in labels:
            n, label = pair if isinstance(pair, Sequence) and len(pair) == 2 else (None, None)
            if type(n) is not int or not 0 <= n < blocks:
                raise ConfigError(f"there is no block {n!r:.40} on this page")
            if label is not None and label not in names:
                raise ConfigError(f"there is no label {label!r:.40}")
            found[n] = label
        return found

    # the table

    @property
    def unsealed(self) -> int:
        """Rows that are in the journal and not in the table yet."""
        with self._lock:
            return self._journal.count if self._journal else 0

    def seal_if_quiet(self, *, quiet: float = QUIET_SECONDS, longest: float = LONGEST_SECONDS) -> int:
        """Seal when nobody has labelled for a while, or somebody has for long."""
        now = time.monotonic()
        with self._lock:
            if self._journal is None or (now - self._last_save < quiet and now - self._first_unsealed < longest):
                return 0
        return self.seal()

    def seal(self) -> int:
        """Put the journal into the table; returns how many rows there were."""
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
        """Seal and end; where the store is away, leave the labels in a file and raise RetryLater that names it."""
        try:
            self.seal()
        except OSError as error:
            if self._journal is None:  # its file is there, and the next start seals it
                raise RetryLater(f"labels are safe in the journal, but not in the table yet: {error}") from error
            copy = self._journal.rescue(Path(tempfile.mkdtemp(prefix="parcels-labels-")))
            raise RetryLater(
                f"the store is not there ({error}); {self._journal.count:,} labels of leaves are in {copy}: "
                f"when it is back, move that file into {self._journal.path.parent} and start parcels annotate again"
            ) from error
        finally:
            self._pool.shutdown(cancel_futures=True)
