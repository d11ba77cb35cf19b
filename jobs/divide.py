"""divide: `pages` in, `blocks` out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.divide import VERSIONS
from parcels.errors import SkipRecord
from parcels.local import block_rows
from parcels.store import Store

STEP = "divide"


@dataclass(frozen=True)
class Divide:
    """Divides pages: the rows are those of `parcels.local`."""

    divider: str = "fine"
    name: str = STEP
    step: str = STEP

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with blocks of this divider, and pages that could not be divided."""
        divider = f"{self.divider}@{VERSIONS[self.divider]}"
        blocks = frame(spark, store, "blocks").where(having(crawl=crawl, divider=divider)).select("page_id")
        return blocks.union(rejected(spark, store, crawl, STEP))

    def opened(self, store: Store, crawl: str) -> "Divide":
        """There is nothing to open."""
        return self

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """The blocks of a page."""
        rows = list(block_rows(dict(work.row), divider=self.divider))
        if not rows:
            raise SkipRecord("no-leaves", str(work.row["url"]), "nothing visible")
        yield "blocks", rows


def rejected(spark: Any, store: Store, crawl: str, *steps: str) -> Any:
    """The pages that one of the steps has left out."""
    from pyspark.sql import functions as f

    rows = frame(spark, store, "rejects").where(having(crawl=crawl)).where(f.col("step").isin(*steps))
    return rows.where("page_id IS NOT NULL").select("page_id")
