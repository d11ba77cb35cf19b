"""divide: `pages` in, `blocks` out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from jobs.engine.columns import struct_lists, structs
from jobs.engine.page import Finished, Rows, StoredPage
from parcels.divide import VERSIONS
from parcels.results import block_columns
from parcels.store import Store
from parcels.tables import BOX, LEAVES
from parcels.urls import block_id

STEP = "divide"


@dataclass(frozen=True)
class Divide:
    """The step that divides pages into blocks."""

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
        yield "blocks", block_table(page)


def block_table(page: StoredPage) -> pa.Table:
    """Return a page's rows of `blocks`."""
    of, leaves = block_columns(page), page.page.leaves
    count = len(of.ranges)
    return pa.table(
        {
            "block_id": [block_id(page.page_id, n, page.divider_name) for n in range(count)],
            "page_id": [page.page_id] * count,
            "host": pa.array([page.host] * count, pa.string()),
            "n": pa.array(range(count), pa.int32()),
            "divider": [page.divider_name] * count,
            "leaves": struct_lists(
                LEAVES,
                [end - first for first, end in of.ranges],
                range(len(leaves)), leaves.kind, leaves.text, leaves.is_link, of.reasons,
            ),
            "box": pa.nulls(count, BOX) if of.rectangles is None else _boxes(of.rectangles),
            "area": pa.array(of.areas, pa.string()),
            "tag_path": of.paths,
            "text": of.texts,
        }
    )  # fmt: skip


def _boxes(rectangles: NDArray[np.float64]) -> pa.StructArray:
    return structs(BOX, *rectangles.T, is_null=np.isnan(rectangles[:, 0]))
