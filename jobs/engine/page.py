"""One page on its way through the steps of a pass: each thing is made from it once, by the first step that asks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from parcels.divide import DIVIDERS, VERSIONS, Division
from parcels.errors import SkipRecord
from parcels.html.page import Page, read_page
from parcels.labels.features import Measured, measure
from parcels.layout.render import LaidOut
from parcels.results import laid_within_bounds

COLUMNS = ("page_id", "url", "host", "html", "content_type", "charset", "sheets", "folder")
Rows: TypeAlias = list[dict[str, Any]] | pa.Table


@dataclass
class PageWork:
    """A row of `pages` with its style sheets in `css`, and what was made of it so far."""

    row: Mapping[str, Any]
    divider: str

    @property
    def page_id(self) -> str:
        """Its id."""
        return str(self.row["page_id"])

    @property
    def divider_name(self) -> str:
        """Name and version of the divider."""
        return f"{self.divider}@{VERSIONS[self.divider]}"

    @cached_property
    def page(self) -> Page:
        """The page, read."""
        kind, charset = self.row["content_type"] or "text/html", self.row["charset"]
        return read_page(
            self.row["html"], self.row["url"], content_type=f"{kind}; charset={charset}" if charset else None
        )

    @cached_property
    def division(self) -> Division:
        """Its blocks; a page without any is skipped."""
        division = DIVIDERS[self.divider](self.page)
        if not len(division):
            raise SkipRecord("no-leaves", str(self.row["url"]), "nothing visible")
        return division

    @cached_property
    def laid(self) -> LaidOut:
        """The page on the virtual screen; one that is too large for it is skipped."""
        laid = laid_within_bounds(self.page, css=self.row["css"], folder=self.row["folder"] or "")
        if laid is None:
            raise SkipRecord("too-large", str(self.row["url"]), "too many elements to lay out")
        return laid

    @property
    def seen(self) -> LaidOut:
        """The page on the virtual screen; one that shows nothing is skipped."""
        if not len(self.page.leaves):
            raise SkipRecord("no-leaves", str(self.row["url"]), "nothing visible")
        return self.laid

    @cached_property
    def measured(self) -> Measured:
        """What the views say of its blocks."""
        return measure(self.division, self.laid)


@dataclass(frozen=True)
class Finished:
    """Where the pages that need nothing more of a step are found: in its table, and among the rejects of steps."""

    table: str
    having: Mapping[str, str]  # values that its rows have in columns, beside the crawl
    rejecting: tuple[str, ...]  # steps, as `rejects` names them


class PageStep(Protocol):
    """A job that makes rows of tables from one page at a time. It is sent to the executors, so it holds plain data."""

    @property
    def name(self) -> str:
        """As in `parcels run NAME`."""

    @property
    def step(self) -> str:
        """As in `rejects`."""

    @property
    def finished(self) -> Finished:
        """Where the pages that need nothing more are found."""

    def opened(self, store: Any, crawl: str) -> "Opened":
        """Called once a task, in the executor: what is read before the first page."""


class Opened(Protocol):
    """A step with its models open."""

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """Read what a unit of pages needs beside them."""

    def rows(self, work: PageWork) -> Iterable[tuple[str, Rows]]:
        """Rows by table; SkipRecord where the page cannot be processed."""
