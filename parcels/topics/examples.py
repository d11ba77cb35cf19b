"""Training and test pages of known topic: their constituents and links, without the tree."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.html.page import Page
from parcels.inputs import BadPage, RawPage, read_pages
from parcels.layout.render import LaidOut
from parcels.processed_page import ProcessedPage
from parcels.topics.cleaning import LeafTerms
from parcels.topics.features import Bag, Constituents, constituents, title_bag, unlaid_constituents
from parcels.topics.links.places import LinkPlace, link_places, link_rows
from parcels.urls import canonical, host_of, registered

PAGES = "pages.parquet"
COLUMNS = ("topic", "page_type", "label")  # the first of these columns in a Parquet file is the topic
NO_ADDRESS = "http://page.invalid/"  # base of links on a page without a known address


@dataclass(frozen=True, slots=True)
class TopicPage:
    """The input of topic and link models for one page."""

    url: str | None  # canonical
    constituents: Constituents
    links: tuple[LinkPlace, ...]

    def unlaid(self) -> "TopicPage":
        """Return the page as without a layout."""
        return TopicPage(self.url, self.constituents.unlaid(), tuple([link.unlaid() for link in self.links]))


@dataclass(frozen=True, slots=True)
class TopicExample:
    """A page and its topic."""

    name: str
    topic: str
    site: str  # pages of one site are held out together
    page: TopicPage


def read_for_topics(
    page: Page, laid: LaidOut | None, *, base: str | None = None, known: dict[str, str | None] | None = None,
    is_wanted: Callable[[str], bool | None] | None = None,
) -> TopicPage:  # fmt: skip
    """Compute the input of topic and link models for a page; `laid` is None for a page without a layout.

    `base` is the address that links are relative to, if known; `known` caches canonical addresses. Links whose target
    `is_wanted` rejects are left out.
    """
    return TopicReader(page, base=base, known=known).read(laid, is_wanted=is_wanted)


class TopicReader:
    """Reads a page in two steps: first its words alone, which often decide the topic, then with a layout.

    `base` and `known` are those of `read_for_topics`.
    """

    def __init__(self, page: Page, *, base: str | None = None, known: dict[str, str | None] | None = None) -> None:
        self.page, self._base, self._known = page, base, known
        self._terms = LeafTerms(page.leaves.text)

    @cached_property
    def _title(self) -> Bag:
        return title_bag(self.page)

    @cached_property
    def constituents(self) -> Constituents:
        """Return the constituents without a layout: all text as centre, and the title."""
        return unlaid_constituents(self.page, self._terms, self._title)

    def read(self, laid: LaidOut | None, *, is_wanted: Callable[[str], bool | None] | None = None) -> TopicPage:
        """Return the input of topic and link models, with or without a layout."""
        url = canonical(self.page.url) if self.page.url else None
        rows = list(link_rows(self.page, self._base or base_of(self.page, url or NO_ADDRESS), self._known))
        read_constituents = constituents(laid, self._terms, self._title) if laid is not None else self.constituents
        return TopicPage(url, read_constituents, tuple(link_places(self.page, rows, laid, self._terms, is_wanted)))


def base_of(page: Page, url: str) -> str:
    """Return the address that a page's links are relative to."""
    named = next((base.get("href") for base in page.root.iter("base") if base.get("href")), None)
    return (canonical(named, url) or url) if named else url


def read_raw(raw: RawPage) -> TopicPage:
    """Parse, lay out and read a page; raises SkipRecord where that is not possible."""
    processed = ProcessedPage(raw)
    return read_for_topics(processed.page, processed.optional_layout)


def labelled(sources: Sequence[Path], *, crawl: str | None = None) -> Iterator[tuple[RawPage, str, str]]:
    """Yield pages, topics and sites from Parquet files, stores, or folders with one folder of pages per topic."""
    for source in sources:
        if source.is_dir() and not (source / PAGES).is_file():
            yield from labelled_in_store(str(source), crawl) if (source / "pages").is_dir() else _of_folders(source)
        else:
            yield from _of_parquet(source / PAGES if source.is_dir() else source)


def _of_parquet(path: Path) -> Iterator[tuple[RawPage, str, str]]:
    import pyarrow.parquet

    if not path.is_file():
        raise InputMissing(f"File or folder not found: {path}. Give a folder with {PAGES}, a Parquet file or a store.")
    file = pyarrow.parquet.ParquetFile(path)
    names = file.schema_arrow.names
    column = next((name for name in COLUMNS if name in names), None)
    if column is None or "html" not in names:
        raise InputMissing(f"{path} lacks the column html, or all of {', '.join(COLUMNS)}; training needs both")
    wanted = [name for name in ("page", "url", "html", column) if name in names]
    for batch in file.iter_batches(batch_size=32, columns=wanted):
        for row in batch.to_pylist():
            if row[column]:
                name, url = str(row.get("page") or row.get("url") or ""), row.get("url")
                yield RawPage(name, row["html"], url), str(row[column]), site_of(url, name)


def labelled_in_store(uri: str, crawl: str | None) -> Iterator[tuple[RawPage, str, str]]:
    """Yield the pages of a store with a topic, as the directory spider sets it."""
    from parcels.store import open_store

    columns = ["page_id", "url", "final_url", "content_type", "html", "topic", "status"]
    for batch in open_store(uri).batches("pages", columns=columns, crawl=crawl):
        for row in batch.to_pylist():
            if row["topic"] and row["html"]:
                raw = RawPage(row["page_id"], row["html"], row["final_url"] or row["url"], row["content_type"])
                yield raw, row["topic"], site_of(row["url"], row["page_id"])


def _of_folders(folder: Path) -> Iterator[tuple[RawPage, str, str]]:
    topics = sorted(entry for entry in folder.iterdir() if entry.is_dir())
    if not topics:
        raise InputMissing(
            f"No labelled pages in {folder}. Give a folder with {PAGES}, a store, or one folder of pages per topic."
        )
    for topic in topics:
        for page in read_pages([str(topic)]):
            if not isinstance(page, BadPage):
                yield page, topic.name, page.name


def site_of(url: str | None, name: str) -> str:
    """Return the site of a page for folds: its registered domain, or its name where it has no address."""
    host = host_of(url) if url else None
    return registered(host) if host else name


def examples(
    sources: Sequence[Path], *, crawl: str | None = None, left_out: Counter[str] | None = None
) -> list[TopicExample]:
    """Read all labelled pages; unreadable ones are counted by reason in `left_out`."""
    return checked([one for source in sources for one in read_source(source, crawl=crawl, left_out=left_out)])


def read_source(source: Path, *, crawl: str | None = None, left_out: Counter[str] | None = None) -> list[TopicExample]:
    """Read the labelled pages of one source; unreadable ones are counted by reason in `left_out`."""
    return read_labelled(labelled([source], crawl=crawl), left_out=left_out)


def read_labelled(
    pages: Iterable[tuple[RawPage, str, str]], *, left_out: Counter[str] | None = None
) -> list[TopicExample]:
    """Read pages with their topics and sites; unreadable ones are counted by reason in `left_out`."""
    read, skipped = [], Counter[str]() if left_out is None else left_out
    for raw, topic, site in pages:
        try:
            read.append(TopicExample(raw.name, topic, site, read_raw(raw)))
        except SkipRecord as error:
            skipped[error.reason] += 1
    return read


def checked(examples: list[TopicExample]) -> list[TopicExample]:
    """Return the examples; raises ConfigError unless they have at least two topics."""
    topics = {example.topic for example in examples}
    if len(topics) < 2:
        raise ConfigError(f"Training needs pages of at least two topics, got {len(topics)}. Add --data or pages.")
    return examples


def as_rows(examples: Sequence[TopicExample]) -> dict[str, Any]:
    """Return the numbers of pages, sites and topics for a model's card."""
    return {
        "pages": len(examples),
        "sites": len({e.site for e in examples}),
        "topics": dict(Counter(e.topic for e in examples)),
    }
