"""divide: `pages` in, `blocks` out."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jobs.engine.page import Finished, Rows, StoredPage
from parcels.divide import VERSIONS
from parcels.results import blocks_of
from parcels.store import Store
from parcels.urls import block_id

STEP = "divide"
BOX_FIELDS = ("x_px", "y_px", "width_px", "height_px")


@dataclass(frozen=True)
class Divide:
    """Divides pages into blocks."""

    divider: str = "fine"
    name: str = STEP
    step: str = STEP

    @property
    def finished(self) -> Finished:
        """Pages with blocks of this divider, and pages that could not be divided."""
        return Finished(("blocks",), {"divider": f"{self.divider}@{VERSIONS[self.divider]}"}, (STEP,))

    def opened(self, store: Store, crawl: str) -> "Divide":
        """Return the step itself: it has no model."""
        return self

    def rows(self, page: StoredPage) -> Iterator[tuple[str, Rows]]:
        """Yield the blocks of a page."""
        page.require_blocks()
        yield "blocks", list(block_rows(page))


def block_rows(page: StoredPage) -> Iterator[dict[str, Any]]:
    """Yield a page's rows of `blocks`."""
    is_link, leaf = page.page.leaves.is_link.tolist(), 0
    for block in blocks_of(page).blocks:
        first, leaf = leaf, leaf + len(block.leaves)
        yield {
            "block_id": block_id(page.page_id, block.n, page.divider_name),
            "page_id": page.page_id,
            "host": page.host,
            "n": block.n,
            "divider": page.divider_name,
            "leaves": [
                {"n": n, "kind": kind, "text": text, "is_link": is_link[n], "hidden_reason": reason}
                for n, (kind, text, _, reason) in enumerate(block.leaves, first)
            ],
            "box": dict(zip(BOX_FIELDS, block.box, strict=True)) if block.box else None,
            "area": block.area,
            "tag_path": block.tag_path,
            "text": block.text,
        }
