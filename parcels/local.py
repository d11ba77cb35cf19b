"""The divide step in this process, without Spark: it writes the same rows as a cluster."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from parcels.divide import VERSIONS
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.importing.run_record import RunRecord
from parcels.results import blocks_of, laid_within_bounds
from parcels.store import Store
from parcels.urls import block_id

STEP = "divide"
BOX_FIELDS = ("x_px", "y_px", "width_px", "height_px")


def divide(store: Store, *, crawl: str, divider: str = "fine", each: Callable[[], None] = lambda: None) -> RunRecord:
    """Divide the pages of a crawl that have no blocks yet; pages that cannot be divided go to `rejects`."""
    name = f"{divider}@{VERSIONS[divider]}"
    known = store.keys("blocks", crawl=crawl, columns=["page_id", "divider"])
    done = {row["page_id"] for row in known.to_pylist() if row["divider"] == name}
    columns = ["page_id", "url", "host", "html", "content_type", "charset", "sheets", "folder"]
    bodies = store.read("resources", columns=["content_hash", "body"], crawl=crawl)
    sheets = dict(zip(bodies["content_hash"].to_pylist(), bodies["body"].to_pylist(), strict=True))
    with RunRecord(store, step=STEP, crawl=crawl, settings={"divider": name}) as run:
        for batch in store.batches("pages", columns=columns, crawl=crawl):
            for page in batch.to_pylist():
                each()
                if page["page_id"] in done:
                    run.skip("already divided")
                    continue
                page["css"] = {one["path"]: sheets[one["content_hash"]] for one in page["sheets"] or ()}
                _divide_one(run, page, divider)
    return run


def _divide_one(run: RunRecord, page: dict[str, Any], divider: str) -> None:
    try:
        rows = list(block_rows(page, divider=divider))
    except SkipRecord as skipped:
        run.reject(page["url"], skipped.reason, detail=skipped.detail, page=page["page_id"], source="pages")
        return
    if not rows:
        run.reject(page["url"], "no-leaves", detail="nothing visible", page=page["page_id"], source="pages")
    run.counts["pages"] += 1
    run.counts["blocks"] += len(rows)
    for row in rows:
        run.add("blocks", row, weight=2 * len(row["text"]) + 300)


def block_rows(page: dict[str, Any], *, divider: str = "fine") -> Iterator[dict[str, Any]]:
    """Yield rows of `blocks` for a row of `pages` with its sheets in `css`; raise SkipRecord for unreadable pages."""
    content_type = f"{page['content_type'] or 'text/html'}; charset={page['charset']}" if page["charset"] else None
    read = read_page(page["html"], page["url"], content_type=content_type)
    leaves = ({"n": n, "is_link": is_link} for n, is_link in enumerate(read.leaves.is_link.tolist()))
    name = f"{divider}@{VERSIONS[divider]}"
    laid = laid_within_bounds(read, css=page["css"], folder=page["folder"] or "")
    for block in blocks_of(read, divider=divider, laid=laid).blocks:
        yield {
            "block_id": block_id(page["page_id"], block.n, name),
            "page_id": page["page_id"],
            "host": page["host"],
            "n": block.n,
            "divider": name,
            "leaves": [
                {"kind": leaf.kind, "text": leaf.text, "hidden_reason": leaf.hidden_reason, **rest}
                for leaf, rest in zip(block.leaves, islice(leaves, len(block.leaves)), strict=True)
            ],
            "box": dict(zip(BOX_FIELDS, block.box, strict=True)) if block.box else None,
            "area": block.area,
            "tag_path": block.tag_path,
            "text": block.text,
        }
