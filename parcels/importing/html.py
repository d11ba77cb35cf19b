"""Import of HTML files, folders, Parquet files and addresses (parcels.inputs) into `pages` and `resources`."""

import datetime as dt
from collections.abc import Callable, Sequence

from parcels.errors import ConfigError
from parcels.importing.http import media_type
from parcels.importing.run_record import RunRecord
from parcels.inputs import MAX_BYTES, BadPage, RawPage, count_pages, is_address, is_single, read_pages
from parcels.store import Store

STEP = "import-html"


def import_html(
    store: Store,
    sources: Sequence[str],
    *,
    crawl: str,
    url: str | None = None,
    max_bytes: int = MAX_BYTES,
    each: Callable[[], None] = lambda: None,
) -> RunRecord:
    """Import pages and call `each` after every one; raise InputMissing for a missing source before the first page.

    A page without an address gets `page:NAME` and no host. The visit is 0: one row per page and crawl.
    """
    if url is not None and not is_single(sources):
        raise ConfigError(
            "--url is the address of a single page, but several pages were given. Leave --url out, or name one page."
        )
    count_pages(sources)
    settings = {"sources": list(sources), "url": url, "max_bytes": max_bytes}
    with RunRecord(store, step=STEP, crawl=crawl, settings=settings) as run:
        for source in sources:
            for page in read_pages([source], url=url, max_bytes=max_bytes):
                run.counts["records"] += 1
                record = f"{source}#{page.name}"
                if isinstance(page, BadPage):
                    run.reject(record, page.error.reason, detail=page.error.detail, source=source)
                elif len(page.html) > max_bytes:
                    run.reject(record, "too-large", detail=f"{len(page.html):,} bytes", source=source)
                else:
                    _add(run, page, record, source)
                each()
    return run


def _add(run: RunRecord, page: RawPage, record: str, source: str) -> None:
    sheets = [
        {"path": path, "content_hash": run.sheet(body, address=path, content_type="text/css", source=source)[0]}
        for path, body in page.css.items()
    ]
    kind, charset = media_type(page.content_type)
    run.page(
        page.html,
        record=record,
        address=page.url,
        name=page.name,
        content_type=kind,
        charset=charset,
        sheets=sheets or None,
        folder=page.folder if sheets else None,
        fetched_at=dt.datetime.now(dt.UTC) if is_address(source) else None,
        source=source,
    )
