"""Pages of a store and the steps of a pass over them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from parcels.divide import VERSIONS
from parcels.errors import SkipRecord
from parcels.inputs import RawPage
from parcels.processed_page import ProcessedPage

COLUMNS = ("page_id", "url", "host", "html", "content_type", "charset", "sheets", "folder")
Rows: TypeAlias = list[dict[str, Any]] | pa.Table


class StoredPage(ProcessedPage):
    """A page from a row of `pages`, with its style sheets in `css`. The steps of a pass share its computed parts."""

    def __init__(self, row: Mapping[str, Any], *, divider: str = "fine"):
        kind, charset = row["content_type"] or "text/html", row["charset"]
        content_type = f"{kind}; charset={charset}" if charset else None
        raw = RawPage("", row["html"], row["url"], content_type, row["css"], row["folder"] or "")
        super().__init__(raw, divider=divider)
        self.page_id, self.url, self.host = str(row["page_id"]), str(row["url"]), row["host"]

    @property
    def divider_name(self) -> str:
        """Name and version of the divider."""
        return f"{self.divider}@{VERSIONS[self.divider]}"

    def require_blocks(self) -> None:
        """Raise SkipRecord if the page has no blocks."""
        if not len(self.division):
            raise SkipRecord("no-leaves", self.url, "nothing visible")


@dataclass(frozen=True)
class Finished:
    """The pages that a step need not process again: those in its tables and those in `rejects`."""

    tables: tuple[str, ...]  # rows are counted under the name of the first one
    having: Mapping[str, str]  # values of columns, in addition to the crawl
    rejecting: tuple[str, ...]  # names of steps in `rejects`


class PageStep(Protocol):
    """A job that computes rows of tables from one page at a time. It is plain data, which is sent to the executors."""

    @property
    def name(self) -> str:
        """The job's name in `parcels run NAME`."""

    @property
    def step(self) -> str:
        """The step's name in `rejects`."""

    @property
    def finished(self) -> Finished:
        """The pages that need no processing."""

    def opened(self, store: Any, crawl: str) -> "OpenStep":
        """Open the models; called once per task, in the executor."""


class OpenStep(Protocol):
    """A step with its models open."""

    def rows(self, page: StoredPage) -> Iterable[tuple[str, Rows]]:
        """Yield rows by table. Raise SkipRecord if the page cannot be processed."""
