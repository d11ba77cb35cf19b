"""Import of web archives (WARC, ARC, WACZ) into `pages` and `resources`, by one process."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from parcels.errors import SkipRecord
from parcels.importing.archive import Capture, Damage, read_records
from parcels.importing.captures import ArchivedSheet, CaptureReader, Originals
from parcels.importing.filters import LeftOut, RecordFilter
from parcels.importing.opening import ArchiveSource, archive_sources, members, open_archive
from parcels.importing.run_record import RunRecord
from parcels.inputs import MAX_BYTES
from parcels.store import Store

STEP = "import-warc"


def import_warc(
    store: Store,
    sources: Sequence[str],
    *,
    crawl: str,
    max_bytes: int = MAX_BYTES,
    each: Callable[[], None] = lambda: None,
) -> RunRecord:
    """Import the HTML pages and style sheets of archives, and call `each` after every record.

    `CaptureReader.read` states which records are pages, rejected or skipped.
    """
    files = archive_sources(list(sources))
    conditions = RecordFilter(max_bytes=max_bytes)
    settings = {"sources": list(sources), "max_bytes": max_bytes}
    with RunRecord(store, step=STEP, crawl=crawl, settings=settings) as run:
        for file in files:
            try:
                for source in members(file):
                    _import_file(run, source, conditions, each)
            except OSError as error:
                run.counts["records"] += 1
                run.reject(
                    f"{file.name}@0", "unreadable", detail=f"{file.name}: {error.strerror or error}", source=file.name
                )
    return run


def _import_file(run: RunRecord, source: ArchiveSource, conditions: RecordFilter, each: Callable[[], None]) -> None:
    with ExitStack() as stack:
        file = stack.enter_context(open_archive(source))
        reader = CaptureReader(
            source.name, conditions, originals=Originals(),
            reopened=lambda: stack.enter_context(open_archive(source)),
        )  # fmt: skip
        for capture in read_records(file, max_bytes=conditions.max_bytes):
            run.counts["records"] += 1
            record = f"{source.name}@{capture.place}"
            if isinstance(capture, Damage):
                detail = f"{capture.url}: {capture.detail}" if capture.url else capture.detail
                run.reject(record, capture.reason, detail=detail, source=source.name)
            else:
                _import_record(run, reader, capture, record)
            each()


def _import_record(run: RunRecord, reader: CaptureReader, capture: Capture, record: str) -> None:
    try:
        taken = reader.read(capture)
    except LeftOut as error:
        run.skip(error.reason)
    except SkipRecord as error:
        detail = f"{capture.url}: {error.detail}" if error.detail else capture.url or ""
        run.reject(record, error.reason, detail=detail, source=reader.source)
    else:
        if isinstance(taken, ArchivedSheet):
            if not run.sheet(taken.body, address=taken.address, **taken.columns)[1]:
                run.skip("style sheet already in the store")
        else:
            run.page(
                taken.html, record=taken.record, address=taken.address, name=taken.name, visit=taken.visit,
                **taken.columns,
            )  # fmt: skip
