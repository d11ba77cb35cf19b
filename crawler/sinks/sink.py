"""Write entries to the spool, end leases once they are durable, and seal segments into the tables.

1. `add` writes the entry into the open segment. 2. `settle` syncs the segment, then ends the leases in the frontier,
which admits the links and returns receipts. 3. A segment that is large or old enough is sealed: its rows go into
Parquet files with its name; then the segment and its receipts are deleted. After a crash between any two of these steps
`recover` repeats them: settling and sealing the same segment again changes nothing.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from crawler.errors import StoreGone
from crawler.frontier.contract import CompletedLease, Frontier, Receipt
from crawler.sinks.entry import Entry, encode
from crawler.sinks.sealing import entries, known_sheets, seal
from crawler.sinks.spool import OPEN, SEALING, Spool, SpoolSegment
from parcels.store import Store
from parcels.store.store import MARKER

SEGMENT_BYTES = 128 << 20
SEGMENT_SECONDS = 600.0
SETTLE_ENTRIES = 32
SETTLE_SECONDS = 0.3
RECOVER_ENTRIES = 500  # settled at once when a spool is recovered

BeforeSeal = Callable[[Path, dict[int, str]], None]


class Sink:
    """The sink of one process. Used by one thread; sealing runs in another."""

    def __init__(
        self, store: Store, crawl: str, frontier: Frontier, spool: Spool, *, run_id: str,
        segment_bytes: int = SEGMENT_BYTES, segment_seconds: float = SEGMENT_SECONDS,
        before_seal: Sequence[BeforeSeal] = (),
    ):  # fmt: skip
        self.counts: Counter[str] = Counter()
        self._store, self._crawl, self._frontier, self._spool, self._run_id = store, crawl, frontier, spool, run_id
        self._segment_bytes, self._segment_seconds = segment_bytes, segment_seconds
        self._before_seal = before_seal
        self._segment: SpoolSegment | None = None
        self._began = 0.0
        self._unsettled: list[CompletedLease] = []
        self._oldest = 0.0
        self._receipts: dict[int, str] = {}
        self._sheets: dict[str, str] = {}
        self._sealer: threading.Thread | None = None
        self._sealed: list[tuple[str, Counter[str]]] = []  # by the other thread: segments to be forgotten, their rows
        self._failure: BaseException | None = None

    # -- entries --------------------------------------------------------------------------------------------------

    def add(self, entry: Entry) -> None:
        """Write the result of a lease to the spool: it survives a crash of this process; the lease ends soon."""
        self.check()
        if self._segment is None:
            self._segment = self._spool.new_segment()
            self._began = time.monotonic()
        self._segment.append(encode(entry))
        if entry.resource is not None:
            self._sheets[entry.lease.url] = entry.resource["content_hash"]
        if not self._unsettled:
            self._oldest = time.monotonic()
        self._unsettled.append(entry.finished())
        if len(self._unsettled) >= SETTLE_ENTRIES:
            self.settle()

    def check(self) -> None:
        """Raise StoreGone if the store or the spool no longer exists: writing to a removed file would succeed."""
        location = self._store.location
        has_store = not location.is_local or Path(location.path(MARKER)).is_file()
        is_lost = self._segment.is_lost if self._segment is not None else not self._spool.folder.is_dir()
        if has_store and not is_lost:
            return
        what = f"the spool {self._spool.folder}" if has_store else f"the store {location.uri}"
        raise StoreGone(
            f"{what} was removed or moved during the crawl, and the crawl has stopped. If it was moved, put it back "
            "and run the same command again: it continues. If it was removed, the pages in it are gone: "
            "fetch them again as a new crawl, with --crawl NAME."
        )

    @property
    def worker(self) -> str:
        """Return the name under which this process leases."""
        return self._spool.worker

    @property
    def unsettled(self) -> int:
        """Return how many entries wait for the frontier's receipt."""
        return len(self._unsettled)

    def tick(self) -> None:
        """Settle and seal what is old enough; called at intervals."""
        self.check()
        if self._unsettled and time.monotonic() - self._oldest >= SETTLE_SECONDS:
            self.settle()
        self._forget_sealed()
        if self._segment is not None and (
            self._segment.size >= self._segment_bytes or time.monotonic() - self._began >= self._segment_seconds
        ):
            self.seal()

    def settle(self) -> None:
        """Make all entries durable and their leases done."""
        if not self._unsettled or self._segment is None:
            return
        finished, self._unsettled = self._unsettled, []
        self._segment.sync()
        self._keep(self._frontier.done(finished, segment=self._segment.name))
        if self._segment.size >= self._segment_bytes:
            self.seal()

    def _keep(self, receipts: Sequence[Receipt]) -> None:
        for token, outcomes in receipts:
            if outcomes is not None:
                self._receipts[token] = outcomes
                self.counts["settled"] += 1
            else:
                self.counts["overtaken"] += 1

    # -- sealing --------------------------------------------------------------------------------------------------

    def seal(self, *, wait: bool = False) -> None:
        """Seal the open segment in another thread; one at a time."""
        self.settle()
        self._join()
        if self._segment is not None:
            segment, receipts = self._segment, self._receipts
            self._segment, self._receipts = None, {}
            segment.close()
            path = self._spool.begin_sealing(segment.path)
            words = (path, receipts, self._spool, dict(self._sheets))
            self._sealer = threading.Thread(target=self._seal, args=words, daemon=True)
            self._sealer.start()
        if wait:
            self._join()

    def _seal(self, path: Path, receipts: dict[int, str], spool: Spool, sheets: dict[str, str]) -> None:
        try:
            for step in self._before_seal:
                step(path, receipts)
            rows = seal(self._store, self._crawl, path, receipts, run_id=self._run_id, sheet_hash=sheets.get)
            spool.remove(path)
            self._sealed.append((path.stem, rows))
        except BaseException as error:  # noqa: BLE001 - raised in the other thread by _forget_sealed
            self._failure = error
        finally:
            pa.default_memory_pool().release_unused()  # each sealing thread leaves its own heap behind

    def _join(self) -> None:
        if self._sealer is not None:
            self._sealer.join()
            self._sealer = None
        self._forget_sealed()

    def _forget_sealed(self) -> None:
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        while self._sealed:
            segment, rows = self._sealed.pop()
            self._frontier.delete_receipts(segment)
            self.counts.update(rows)

    def close(self) -> None:
        """Settle, seal, and close the spool."""
        try:
            self.settle()
            self.seal(wait=True)
        finally:
            self._spool.close()

    def abandon(self) -> None:
        """Close the spool as it is, after a failure: the next start recovers it."""
        if self._sealer is not None:
            self._sealer.join()
        self._spool.close()

    # -- recovery -------------------------------------------------------------------------------------------------

    def recover(self) -> int:
        """Settle and seal the entries that a dead process left in this spool; return their number."""
        self._sheets.update(known_sheets(self._store, self._crawl))
        saved = self._recover(self._spool)
        self._frontier.reclaim(self._spool.worker)
        return saved

    def adopt(self, root: Path) -> int:
        """Settle and seal the entries in the spools of dead workers; return their number."""
        saved = 0
        while (spool := Spool.adopt(root)) is not None:
            saved += self._recover(spool)
            self._frontier.reclaim(spool.worker)
            spool.close()
        return saved

    def _recover(self, spool: Spool) -> int:
        saved = 0
        for path in spool.segments(SEALING):
            saved += self._settle_again(path)
            self._seal_again(path, spool)
        for path in spool.segments(OPEN):
            segment = SpoolSegment(path)
            segment.mend()
            saved += self._settle_again(path)
            if spool is self._spool and self._segment is None and segment.size < self._segment_bytes:
                self._segment, self._began = segment, time.monotonic()
                self._receipts = self._frontier.receipts(segment.name)
                continue
            segment.close()
            self._seal_again(spool.begin_sealing(path), spool)
        return saved

    def _settle_again(self, path: Path) -> int:
        """Send every entry to the frontier again; it returns the old receipt for those that it knows."""
        known = self._frontier.receipts(path.stem)
        batch: list[CompletedLease] = []
        saved = 0
        for entry in entries(path):
            if entry.resource is not None:
                self._sheets[entry.lease.url] = entry.resource["content_hash"]
            if entry.lease.token not in known:
                batch.append(entry.finished())
                saved += 1
            if len(batch) >= RECOVER_ENTRIES:
                self._frontier.done(batch, segment=path.stem)
                batch = []
        if batch:
            self._frontier.done(batch, segment=path.stem)
        return saved

    def _seal_again(self, path: Path, spool: Spool) -> None:
        self._seal(path, self._frontier.receipts(path.stem), spool, self._sheets)
        self._forget_sealed()
