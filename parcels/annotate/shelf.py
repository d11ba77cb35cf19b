"""Pages to look at: of a store, or a few files. A page is found by its id and opened whole."""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import pyarrow.parquet as pq

from parcels.annotate.clean import clean_html
from parcels.annotate.predicted import Predicted, StoredLabels, predict
from parcels.css.sheets.source import SheetSource
from parcels.divide import VERSIONS, Division, fine
from parcels.errors import InputMissing, ParcelsError
from parcels.html.leaves import fold
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage
from parcels.labels.features import Measured, measure
from parcels.layout.render import LaidOut
from parcels.results import Block, blocks_of, laid_within_bounds
from parcels.store import Store
from parcels.store.pages import raw_page
from parcels.urls import host_of, page_id, registered

DIVIDER = f"fine@{VERSIONS['fine']}"
MOST_PAGES = 50_000  # that one session offers: more than anybody labels


@dataclass(frozen=True, slots=True)
class Entry:
    """A page on the shelf."""

    page_id: str
    crawl: str
    url: str
    name: str | None = None
    fetched_at: Any = None

    @property
    def site(self) -> str:
        """The site by which pages are spread and held out."""
        return registered(host_of(self.url) or self.url)


class OpenPage:
    """One page with everything that is shown of it; what is dear is made when it is asked for."""

    def __init__(self, entry: Entry, raw: RawPage, *, model: str | None, stored: StoredLabels | None = None):
        self.entry, self.model, self._stored = entry, model, stored
        self.page: Page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        self.sheets = SheetSource.of(raw)
        self.laid: LaidOut | None = laid_within_bounds(self.page, css=raw.css, folder=raw.folder)
        self.division: Division = fine.divide(self.page)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks with their places, without labels."""
        return blocks_of(self.page, laid=self.laid).blocks

    @cached_property
    def ranges(self) -> list[tuple[int, int]]:
        """The leaves of each block."""
        return list(self.division.ranges())

    @cached_property
    def measured(self) -> Measured | None:
        """What the views say; None for a page too large to be laid out."""
        return None if self.laid is None or not len(self.division) else measure(self.division, self.laid)

    @cached_property
    def predicted(self) -> Predicted:
        """What a model says of the blocks: the stored labels where there are any, else the model at hand."""
        stored = self._stored.of_page(self.entry.page_id, len(self.division)) if self._stored else None
        return stored or predict(self.measured, self.model, len(self.division))

    @cached_property
    def html(self) -> str:
        """The page for the frame."""
        return clean_html(self.page, self.division, self.sheets, self.laid.layout if self.laid else None)

    @cached_property
    def title(self) -> str:
        """What the page calls itself."""
        found = self.page.root.find(".//title")
        text = fold("".join(map(str, found.itertext()))) if found is not None else ""
        return text[:200] or self.entry.url


def warm_up(model: str | None) -> None:
    """Open the model and the word lists on a page of no use, so that the first real page does not wait for them."""
    html = (
        b"<title>Warm</title><nav><a href=/>Home</a></nav><h1>A line</h1><p>By Ann Teller, 4 May 2025. Some words.</p>"
    )
    url = "http://warm.example/"
    with contextlib.suppress(ParcelsError):  # a model that cannot be opened is told where a page asks for it
        opened = OpenPage(Entry("", "", url), RawPage("warm", html, url), model=model)
        opened.predicted, opened.html  # noqa: B018 - made when they are asked for


class Shelf(Protocol):
    """Where pages are."""

    fallback: str | None  # the model that is asked where no labels are stored

    @property
    def entries(self) -> Mapping[str, Entry]:
        """The pages by their id, in order."""

    def open(self, page: str) -> OpenPage:
        """One page; KeyError for an unknown id, SkipRecord for one that cannot be read."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a Parquet file: only its row group is read for it."""

    path: str
    group: int
    at: int


class StoreShelf:
    """The pages of a store, found once by their ids; their bytes stay in the files until one is opened."""

    def __init__(
        self, store: Store, *, crawl: str | None = None, model: str | None = None, fallback: str | None = "news"
    ):
        self.store, self.fallback = store, fallback
        self.stored = StoredLabels(store, crawl=crawl, model=model, divider=DIVIDER)
        self._rows: dict[str, _Row] = {}
        self._sheets: dict[tuple[str, str], _Row] = {}
        self.entries: dict[str, Entry] = {}
        self._find_pages(crawl)
        if not self.entries:
            what = f"crawl '{crawl}' of {store.place.given}" if crawl else store.place.given
            raise InputMissing(f"{what} holds no pages: parcels crawl ... or parcels import html ... --store")
        for own, row, value in _index(store, "resources", ["content_hash"], crawl):
            self._sheets[own, value["content_hash"]] = row

    def _find_pages(self, crawl: str | None) -> None:
        for own, row, value in _index(self.store, "pages", ["page_id", "url", "name", "fetched_at"], crawl):
            if len(self.entries) == MOST_PAGES:
                return
            entry = Entry(value["page_id"], own, value["url"], value["name"], value["fetched_at"])
            self.entries[entry.page_id] = entry
            self._rows[entry.page_id] = row

    def open(self, page: str) -> OpenPage:
        """Read one page and its sheets."""
        entry, row = self.entries[page], self._rows[page]
        columns = ["html", "final_url", "content_type", "charset", "sheets", "folder"]
        found = self._read(row, columns)
        css = {}
        for sheet in found["sheets"] or ():
            where = self._sheets.get((entry.crawl, sheet["content_hash"]))
            if where is not None:
                css[sheet["path"]] = self._read(where, ["body"])["body"]
        raw = raw_page(found | {"url": entry.url}, css, name=entry.name or entry.url)
        return OpenPage(entry, raw, model=self.fallback, stored=self.stored)

    def _read(self, row: _Row, columns: list[str]) -> dict[str, Any]:
        with self.store.place.filesystem.open_input_file(row.path) as stream:
            group = pq.ParquetFile(stream).read_row_group(row.group, columns=columns)
            values: dict[str, Any] = group.slice(row.at, 1).to_pylist()[0]
            return values


def _index(
    store: Store, table: str, columns: list[str], crawl: str | None
) -> Iterable[tuple[str, _Row, dict[str, Any]]]:
    """Every row of a table: its crawl, its place, and some small columns."""
    for file in store.files(table, crawl=crawl):
        with store.place.filesystem.open_input_file(file.path) as stream:
            parquet = pq.ParquetFile(stream)
            for group in range(parquet.num_row_groups):
                for at, value in enumerate(parquet.read_row_group(group, columns=columns).to_pylist()):
                    yield str(file.partition["crawl"]), _Row(file.path, group, at), value


class FileShelf:
    """Pages that were named on the command line."""

    def __init__(self, pages: Iterable[RawPage], *, model: str | None):
        self.fallback = model
        self._raw: dict[str, RawPage] = {}
        self.entries: dict[str, Entry] = {}
        for number, raw in enumerate(pages):
            url = raw.url or f"page:{raw.name}"
            key = page_id(url, "", 0)
            if key in self._raw:  # files of one name in several folders
                key = page_id(url, "", number)
            self._raw[key] = raw
            self.entries[key] = Entry(key, "", url, raw.name)
        if not self.entries:
            raise InputMissing("there is no page to look at")

    def open(self, page: str) -> OpenPage:
        """Read one page."""
        return OpenPage(self.entries[page], self._raw[page], model=self.fallback)
