"""Where labelled pages come from: a folder of pages and gold files, a store with annotations, or an export of those.

An export (`parcels export annotations`, `votes` or `label-studio`) holds labels without pages: `pages` names a store
or page files that hold them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parcels.annotate.exchange import lines, voted_documents
from parcels.common.output import Log, log_nothing
from parcels.errors import ConfigError, InputMissing
from parcels.inputs import BadPage, RawPage, is_address, read_pages
from parcels.labels.gold import GoldLeaf, read_gold
from parcels.store import Store, open_store
from parcels.store.pages import stored_pages
from parcels.store.store import MARKER

PAGES, GOLD = "pages.parquet", "gold"
EXPORTS = (".jsonl", ".json")


@dataclass(frozen=True)
class LabelledPage:
    """A page and its labelled leaves."""

    raw: RawPage
    leaves: list[GoldLeaf]
    ordinals: list[int] | None = None  # of these leaves among all of the page, where they were recorded


def labelled_pages(source: str | Path, *, pages: Sequence[str] = (), log: Log = log_nothing) -> Iterator[LabelledPage]:
    """Yield the labelled pages of a source; where people labelled a leaf differently, the majority decides.

    Labels whose pages are not found are counted in a line of the log; where no page is found, that is an error.
    """
    path = Path(source)
    if is_store(source):
        store = open_store(source)
        yield from _of_documents(lines(store, None, is_voted=True), [store], str(source), log)
    elif path.is_file() and path.suffix in EXPORTS:
        if not pages:
            raise ConfigError(
                f"{source} has labels without pages. Name the store or the files of the pages by --pages."
            )
        places = [open_store(place) if is_store(place) else place for place in pages]
        yield from _of_documents(voted_documents(path), places, str(source), log)
    elif (path / PAGES).is_file() and (path / GOLD).is_dir():
        yield from _of_folder(path)
    else:
        raise InputMissing(
            f"{'No labelled pages in' if path.exists() else 'File or folder not found:'} {source}. Name a folder with "
            f"{PAGES} and {GOLD}/PAGE.json, a store with annotations, or a file written by parcels export annotations."
        )


def is_store(source: str | Path) -> bool:
    """Return whether a source is a store: by its address, or by the file that marks the folder of one."""
    return ("://" in str(source) and not is_address(str(source))) or (Path(source) / MARKER).is_file()


def _of_folder(folder: Path) -> Iterator[LabelledPage]:
    for raw in read_pages([str(folder / PAGES)]):
        file = folder / GOLD / f"{raw.name}.json"
        if isinstance(raw, RawPage) and file.is_file():
            yield LabelledPage(raw, read_gold(file))


def _of_documents(
    documents: Iterable[Mapping[str, Any]], places: Sequence[Store | str], source: str, log: Log
) -> Iterator[LabelledPage]:
    """Yield the pages that gold documents speak of, from the first of the places that has them."""
    wanted = {str(one.get("page_id") or one.get("page") or ""): one for one in documents if one["leaves"]}
    if not wanted:
        raise InputMissing(
            f"No labels by people in {source}. Label pages (parcels annotate --store STORE), or import labels "
            "(parcels import annotations … --store STORE)."
        )
    count = len(wanted)
    for place in places:
        for key, raw in _matching(wanted, place):
            leaves = wanted.pop(key)["leaves"]
            gold = [GoldLeaf(_block(leaf), leaf["kind"], leaf["text"], leaf["label"]) for leaf in leaves]
            yield LabelledPage(raw, gold, [leaf["i"] for leaf in leaves])
    if len(wanted) == count:
        raise InputMissing(
            f"None of the {count} labelled pages of {source} was found. Name the store or files of pages by --pages."
        )
    if wanted:
        log(f"{source}: {len(wanted)} of {count} labelled pages were not found, such as {next(iter(wanted))}")


def _matching(wanted: Mapping[str, Mapping[str, Any]], place: Store | str) -> Iterator[tuple[str, RawPage]]:
    """Yield the wanted pages of a store, by their id, or of files, by address or name."""
    if isinstance(place, Store):
        yield from ((key, raw) for key, raw in stored_pages(place, page_ids=set(wanted)) if key in wanted)
        return
    keys = {name: key for key, one in wanted.items() for name in (one.get("page"), one.get("url")) if name}
    for raw in read_pages([place]):
        key = None if isinstance(raw, BadPage) else keys.get(raw.url or "") or keys.get(raw.name)
        if key in wanted and isinstance(raw, RawPage):
            yield str(key), raw


def _block(leaf: Mapping[str, Any]) -> int:
    """Return the reference block of a leaf; one of its own where nobody recorded it."""
    block = leaf.get("block")
    return block if isinstance(block, int) else -1 - int(leaf["i"])
