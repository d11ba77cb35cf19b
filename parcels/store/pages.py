"""The pages of a store as input of the core: bytes, address and style sheets."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from parcels.inputs import RawPage
from parcels.store import Store

COLUMNS = ("page_id", "name", "url", "final_url", "html", "content_type", "charset", "sheets", "folder")


def stored_pages(
    store: Store, *, crawl: str | None = None, page_ids: Collection[str] | None = None
) -> Iterator[tuple[str, RawPage]]:
    """Yield the id and page of each row of `pages`, once per id; only those of `page_ids`, if given."""
    wanted = None if page_ids is None else pc.field("page_id").isin(pa.array(sorted(page_ids), pa.string()))
    seen: set[str] = set()
    for batch in store.batches("pages", columns=list(COLUMNS), filter=wanted, crawl=crawl):
        rows = [row for row in batch.to_pylist() if row["page_id"] not in seen]
        sheets = _sheets(store, crawl, {one["content_hash"] for row in rows for one in row["sheets"] or ()})
        for row in rows:
            if row["page_id"] not in seen:
                seen.add(row["page_id"])
                paths = {one["path"]: one["content_hash"] for one in row["sheets"] or ()}
                css = {path: sheets[of] for path, of in paths.items() if of in sheets}
                yield row["page_id"], raw_page(row, css, name=row["name"] or row["page_id"])


def raw_page(row: Mapping[str, Any], css: Mapping[str, bytes], *, name: str) -> RawPage:
    """Return the page of a row of `pages` with its style sheets by path."""
    kind, charset = row["content_type"] or "text/html", row["charset"]
    header = f"{kind}; charset={charset}" if charset else None
    return RawPage(name, row["html"], row["final_url"] or row["url"], header, css, row["folder"] or "")


def _sheets(store: Store, crawl: str | None, hashes: Collection[str]) -> dict[str, bytes]:
    """Return the style sheets with the given hashes."""
    if not hashes:
        return {}
    wanted = pc.field("content_hash").isin(pa.array(sorted(hashes), pa.string()))
    rows = store.read("resources", columns=["content_hash", "body"], filter=wanted, crawl=crawl).to_pylist()
    return {row["content_hash"]: row["body"] for row in rows}
