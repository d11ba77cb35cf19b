"""Sources of pages to annotate: a store or a few files. A page is identified by its id and opened as a whole."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import pyarrow.parquet as pq

from parcels.annotate.predictions import PagePredictions, StoredLabels, predict
from parcels.annotate.sanitize import clean_html
from parcels.css.sheets.source import SheetSource
from parcels.divide import VERSIONS, Division
from parcels.errors import InputMissing, ParcelsError
from parcels.html.leaves import fold
from parcels.html.page import Page
from parcels.inputs import RawPage
from parcels.labels.features import BlockViews
from parcels.layout.render import LaidOut
from parcels.processed_page import ProcessedPage
from parcels.results import Block, blocks_of
from parcels.store import Store
from parcels.store.pages import raw_page
from parcels.urls import host_of, page_id, registered

DIVIDER = f"fine@{VERSIONS['fine']}"
MAX_PAGES = 50_000  # of one session


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page of a source."""

    page_id: str
    crawl: str
    url: str
    name: str | None = None
    fetched_at: Any = None

    @property
    def site(self) -> str:
        """Return the site of the page, by which pages are spread and held out."""
        return registered(host_of(self.url) or self.url)


class OpenedPage:
    """One opened page with everything that is shown of it; expensive parts are computed on first use."""

    def __init__(self, entry: PageEntry, raw: RawPage, *, model: str | None, stored: StoredLabels | None = None):
        self.entry, self.model, self._stored = entry, model, stored
        self._processed = ProcessedPage(raw)
        self.page: Page = self._processed.page
        self.sheets = SheetSource.of(raw)
        self.laid: LaidOut | None = self._processed.optional_layout
        self.division: Division = self._processed.division

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks with their boxes, without labels."""
        return blocks_of(self._processed).blocks

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """Return the range of leaves of each block."""
        return list(self.division.ranges())

    @cached_property
    def measured(self) -> BlockViews | None:
        """Return the features of all views; None for a page too large to be laid out."""
        return None if self.laid is None or not len(self.division) else self._processed.features

    @cached_property
    def predictions(self) -> PagePredictions:
        """Return the predictions for the blocks: stored labels where there are any, else those of the model."""
        stored = self._stored.of_page(self.entry.page_id, len(self.division)) if self._stored else None
        return stored or predict(self.measured, self.model, len(self.division))

    @cached_property
    def html(self) -> str:
        """Return the sanitized page for the frame."""
        return clean_html(self.page, self.division, self.sheets, self.laid.layout if self.laid else None)

    @cached_property
    def title(self) -> str:
        """Return the title of the page, or its address."""
        element = self.page.root.find(".//title")
        text = fold("".join(map(str, element.itertext()))) if element is not None else ""
        return text[:200] or self.entry.url


def warm_up(model: str | None) -> None:
    """Load the model and the word lists on a dummy page, so that the first real page opens quickly."""
    html = (
        b"<title>Warm</title><nav><a href=/>Home</a></nav><h1>A line</h1><p>By Ann Miller, 4 May 2025. Some words.</p>"
    )
    url = "http://warm.example/"
    with contextlib.suppress(ParcelsError):  # reported when a page needs the model
        opened = OpenedPage(PageEntry("", "", url), RawPage("warm", html, url), model=model)
        opened.predictions, opened.html  # noqa: B018 - computed on first use


class PageSource(Protocol):
    """A source of pages."""

    fallback: str | None  # the model for pages without stored labels

    @property
    def entries(self) -> Mapping[str, PageEntry]:
        """Return the pages by id, in order."""

    def open(self, page: str) -> OpenedPage:
        """Return one page; raise KeyError for an unknown id, SkipRecord for a page that cannot be read."""


@dataclass(frozen=True, slots=True)
class _Row:
    """The position of a row in a Parquet file; only its row group is read."""

    path: str
    group: int
    at: int


class StorePageSource:
    """The pages of a store, indexed by id; their bytes are read when a page is opened."""

    def __init__(
        self, store: Store, *, crawl: str | None = None, model: str | None = None, fallback: str | None = "news"
    ):
        self.store, self.fallback = store, fallback
        self.stored = StoredLabels(store, crawl=crawl, model=model, divider=DIVIDER)
        self._rows: dict[str, _Row] = {}
        self._sheets: dict[tuple[str, str], _Row] = {}
        self.entries: dict[str, PageEntry] = {}
        self._find_pages(crawl)
        if not self.entries:
            what = f"crawl '{crawl}' of {store.location.uri}" if crawl else store.location.uri
            raise InputMissing(f"{what} has no pages. Add some: parcels crawl … or parcels import html … --store STORE")
        for own, row, value in _index(store, "resources", ["content_hash"], crawl):
            self._sheets[own, value["content_hash"]] = row

    def _find_pages(self, crawl: str | None) -> None:
        for own, row, value in _index(self.store, "pages", ["page_id", "url", "name", "fetched_at"], crawl):
            if len(self.entries) == MAX_PAGES:
                return
            entry = PageEntry(value["page_id"], own, value["url"], value["name"], value["fetched_at"])
            self.entries[entry.page_id] = entry
            self._rows[entry.page_id] = row

    def open(self, page: str) -> OpenedPage:
        """Read one page and its style sheets."""
        entry, row = self.entries[page], self._rows[page]
        columns = ["html", "final_url", "content_type", "charset", "sheets", "folder"]
        columns_ = self._read(row, columns)
        css = {}
        for sheet in columns_["sheets"] or ():
            where = self._sheets.get((entry.crawl, sheet["content_hash"]))
            if where is not None:
                css[sheet["path"]] = self._read(where, ["body"])["body"]
        raw = raw_page(columns_ | {"url": entry.url}, css, name=entry.name or entry.url)
        return OpenedPage(entry, raw, model=self.fallback, stored=self.stored)

    def _read(self, row: _Row, columns: list[str]) -> dict[str, Any]:
        with self.store.location.filesystem.open_input_file(row.path) as stream:
            group = pq.ParquetFile(stream).read_row_group(row.group, columns=columns)
            values: dict[str, Any] = group.slice(row.at, 1).to_pylist()[0]
            return values


def _index(
    store: Store, table: str, columns: list[str], crawl: str | None
) -> Iterable[tuple[str, _Row, dict[str, Any]]]:
    """Yield the crawl, position and some small columns of every row of a table."""
    for file in store.files(table, crawl=crawl):
        with store.location.filesystem.open_input_file(file.path) as stream:
            parquet = pq.ParquetFile(stream)
            for group in range(parquet.num_row_groups):
                for at, value in enumerate(parquet.read_row_group(group, columns=columns).to_pylist()):
                    yield str(file.partition["crawl"]), _Row(file.path, group, at), value


class FilePageSource:
    """Pages named on the command line."""

    def __init__(self, pages: Iterable[RawPage], *, model: str | None):
        self.fallback = model
        self._raw: dict[str, RawPage] = {}
        self.entries: dict[str, PageEntry] = {}
        for number, raw in enumerate(pages):
            url = raw.url or f"page:{raw.name}"
            key = page_id(url, "", 0)
            if key in self._raw:  # files of one name in several folders
                key = page_id(url, "", number)
            self._raw[key] = raw
            self.entries[key] = PageEntry(key, "", url, raw.name)
        if not self.entries:
            raise InputMissing("No page could be read.")

    def open(self, page: str) -> OpenedPage:
        """Read one page."""
        return OpenedPage(self.entries[page], self._raw[page], model=self.fallback)
