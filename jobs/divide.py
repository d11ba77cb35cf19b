"""divide: `pages` in, `blocks` out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jobs.engine.page import Finished, PageWork, Rows
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

    @property
    def finished(self) -> Finished:
        """Pages with blocks of this divider, and pages that could not be divided."""
        return Finished("blocks", {"divider": f"{self.divider}@{VERSIONS[self.divider]}"}, (STEP,))

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
