"""Pages whose topic is known, ready to learn from: their constituents and their links, without the tree."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from parcels.errors import ConfigError, InputMissing, SkipRecord
from parcels.html.page import Page, read_page
from parcels.inputs import BadPage, RawPage, read_pages
from parcels.layout.render import LaidOut
from parcels.results import laid_within_bounds
from parcels.topics.cleaning import LeafTerms
from parcels.topics.constituents import Bag, Constituents, constituents, title_bag, unlaid_constituents
from parcels.topics.links.places import LinkPlace, link_places, link_rows
from parcels.urls import canonical, host_of, registered

PAGES = "pages.parquet"
COLUMNS = ("topic", "page_type", "label")  # of a Parquet file: the first that it has is what is learned
NO_ADDRESS = "http://page.invalid/"  # links of a page whose address nobody knows are resolved against this


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What topics and link scores need of one page."""

    url: str | None  # canonical
    constituents: Constituents
    links: tuple[LinkPlace, ...]

    def unlaid(self) -> "ReadPage":
        """The same as if nobody had laid the page out."""
        return ReadPage(self.url, self.constituents.unlaid(), tuple([link.unlaid() for link in self.links]))


@dataclass(frozen=True, slots=True)
class Example:
    """A page and its topic."""

    name: str
    topic: str
    site: str  # pages of one site are held out together
    page: ReadPage


def read_for_topics(
    page: Page, laid: LaidOut | None, *, base: str | None = None, known: dict[str, str | None] | None = None,
    is_wanted: Callable[[str], bool | None] | None = None,
) -> ReadPage:  # fmt: skip
    """What topics need of a page that was read, and laid out where it is not too large for that.

    `base` is what its links are relative to, where that is known, and `known` are addresses that were resolved before.
    Links to what `is_wanted` says no to are left out.
    """
    return FirstLook(page, base=base, known=known).second(laid, is_wanted=is_wanted)


class FirstLook:
    """A page's words, wherever they stand: often they alone say what it is about, and it need not be laid out.

    `base` and `known` are as `read_for_topics` takes them.
    """

    def __init__(self, page: Page, *, base: str | None = None, known: dict[str, str | None] | None = None) -> None:
        self.page, self._base, self._known = page, base, known
        self._terms = LeafTerms(page.leaves.text)

    @cached_property
    def _title(self) -> Bag:
        return title_bag(self.page)

    @cached_property
    def constituents(self) -> Constituents:
        """All text as centre, and the title."""
        return unlaid_constituents(self.page, self._terms, self._title)

    def second(self, laid: LaidOut | None, *, is_wanted: Callable[[str], bool | None] | None = None) -> ReadPage:
        """What topics need of the page, laid out or not."""
        url = canonical(self.page.url) if self.page.url else None
        rows = list(link_rows(self.page, self._base or base_of(self.page, url or NO_ADDRESS), self._known))
        found = constituents(laid, self._terms, self._title) if laid is not None else self.constituents
        return ReadPage(url, found, tuple(link_places(self.page, rows, laid, self._terms, is_wanted)))


def base_of(page: Page, url: str) -> str:
    """What a page's links are relative to."""
    named = next((base.get("href") for base in page.root.iter("base") if base.get("href")), None)
    return (canonical(named, url) or url) if named else url


def read_raw(raw: RawPage) -> ReadPage:
    """The same from bytes; raises SkipRecord for what is no page."""
    page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    return read_for_topics(page, laid_within_bounds(page, css=raw.css, folder=raw.folder))


def labelled(sources: Sequence[Path], *, crawl: str | None = None) -> Iterator[tuple[RawPage, str, str]]:
    """Pages, topics and sites of the sources: Parquet files, stores, or folders with a folder of pages a topic."""
    for source in sources:
        if source.is_dir() and not (source / PAGES).is_file():
            yield from _of_store(source, crawl) if (source / "pages").is_dir() else _of_folders(source)
        else:
            yield from _of_parquet(source / PAGES if source.is_dir() else source)


def _of_parquet(path: Path) -> Iterator[tuple[RawPage, str, str]]:
    import pyarrow.parquet

    if not path.is_file():
        raise InputMissing(
            f"there is no {path}; give a folder with {PAGES}, a Parquet file, a store or folders of pages"
        )
    file = pyarrow.parquet.ParquetFile(path)
    names = file.schema_arrow.names
    column = next((name for name in COLUMNS if name in names), None)
    if column is None or "html" not in names:
        raise InputMissing(f"{path} has no column html, or none of {', '.join(COLUMNS)}; topics are learned from both")
    wanted = [name for name in ("page", "url", "html", column) if name in names]
    for batch in file.iter_batches(batch_size=32, columns=wanted):
        for row in batch.to_pylist():
            if row[column]:
                name, url = str(row.get("page") or row.get("url") or ""), row.get("url")
                yield RawPage(name, row["html"], url), str(row[column]), site_of(url, name)


def _of_store(folder: Path, crawl: str | None) -> Iterator[tuple[RawPage, str, str]]:
    """The pages of a store that have a topic: the directory spider gives it to them."""
    from parcels.store import open_store

    columns = ["page_id", "url", "final_url", "content_type", "html", "topic", "status"]
    for batch in open_store(folder).batches("pages", columns=columns, crawl=crawl):
        for row in batch.to_pylist():
            if row["topic"] and row["html"]:
                raw = RawPage(row["page_id"], row["html"], row["final_url"] or row["url"])
                yield raw, row["topic"], site_of(row["url"], row["page_id"])


def _of_folders(folder: Path) -> Iterator[tuple[RawPage, str, str]]:
    topics = sorted(entry for entry in folder.iterdir() if entry.is_dir())
    if not topics:
        raise InputMissing(f"{folder} holds neither {PAGES}, nor tables, nor a folder of pages for each topic")
    for topic in topics:
        for page in read_pages([str(topic)]):
            if not isinstance(page, BadPage):
                yield page, topic.name, page.name


def site_of(url: str | None, name: str) -> str:
    """The site that a page is held out with: its registered domain; a page without an address is one of its own."""
    host = host_of(url) if url else None
    return registered(host) if host else name


def examples(
    sources: Sequence[Path], *, crawl: str | None = None, left_out: Counter[str] | None = None
) -> list[Example]:
    """Read every labelled page; what cannot be read is counted by its reason."""
    return checked([one for source in sources for one in read_source(source, crawl=crawl, left_out=left_out)])


def read_source(source: Path, *, crawl: str | None = None, left_out: Counter[str] | None = None) -> list[Example]:
    """Read the labelled pages of one source; what cannot be read is counted by its reason."""
    found, skipped = [], Counter[str]() if left_out is None else left_out
    for raw, topic, site in labelled([source], crawl=crawl):
        try:
            found.append(Example(raw.name, topic, site, read_raw(raw)))
        except SkipRecord as error:
            skipped[error.reason] += 1
    return found


def checked(found: list[Example]) -> list[Example]:
    """Return the examples, where they are of two topics or more."""
    topics = {example.topic for example in found}
    if len(topics) < 2:
        raise ConfigError(
            f"pages of at least two topics are needed, so that they can be told apart; found {len(topics)}"
        )
    return found


def as_rows(found: Sequence[Example]) -> dict[str, Any]:
    """What a model's card says of its training data."""
    return {"pages": len(found), "sites": len({e.site for e in found}), "topics": dict(Counter(e.topic for e in found))}
