"""Training and test pages of known type, as features for the classifiers."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from parcels.articles.examples import PAGES, site_of
from parcels.errors import InputMissing, SkipRecord
from parcels.inputs import RawPage, read_pages
from parcels.pagetypes.features import own_tokens, page_terms, position_terms, terms
from parcels.processed_page import ProcessedPage
from parcels.segments.informative import informative_segment
from parcels.segments.model import segmenter_at
from parcels.segments.segmenters import BASELINES, flat

CHUNK = 16
SEGMENT_BASELINE = "bf"  # the segmenter of the paper's second baseline


@dataclass(frozen=True)
class TypedPage:
    """One page: its type, and its features for each method."""

    name: str
    site: str
    page_type: str
    positions: Counter[str]
    names: Counter[str]
    text: Counter[str]
    segment: Counter[str]


def read_typed(folder: Path, *, workers: int = 1) -> tuple[list[TypedPage], list[str]]:
    """Read a folder's pages.parquet (page, html, page_type, url); returns pages and names of unreadable ones."""
    import pyarrow.parquet

    path = folder / PAGES if folder.is_dir() else folder
    if not path.exists():
        raise InputMissing(f"File or folder not found: {path}. Give a folder with {PAGES}, or a Parquet file.")
    if "page_type" not in pyarrow.parquet.ParquetFile(path).schema_arrow.names:
        raise InputMissing(f"{path} has no column page_type; training needs page, html and page_type")
    rows = pyarrow.parquet.read_table(path, columns=["page", "page_type"]).to_pylist()
    types = {str(row["page"]): row["page_type"] for row in rows if row["page_type"]}
    pages, unreadable = [], []
    for page in _measured(path, types, workers):
        if isinstance(page, TypedPage):
            pages.append(page)
        else:
            unreadable.append(page)
    return pages, unreadable


def _measured(path: Path, types: dict[str, str], workers: int) -> Iterator[TypedPage | str]:
    jobs = ((raw, types[raw.name]) for raw in read_pages([str(path)]) if isinstance(raw, RawPage) and raw.name in types)
    if workers == 1:
        yield from map(_typed_or_name, jobs)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from pool.map(_typed_or_name, jobs, chunksize=CHUNK)


def _typed_or_name(job: tuple[RawPage, str]) -> TypedPage | str:
    try:
        return typed_page(*job)
    except SkipRecord:
        return job[0].name


def typed_page(raw: RawPage, page_type: str) -> TypedPage:
    """Compute the features of one page."""
    processed = ProcessedPage(raw)
    page, laid = processed.page, processed.layout
    model = segmenter_at()
    parts = flat(BASELINES[SEGMENT_BASELINE](laid, model.tuned[1]))
    largest = informative_segment(laid, parts)
    inside = parts[largest].leaves if largest is not None else []
    return TypedPage(
        raw.name,
        site_of(raw.url, raw.name),
        page_type,
        position_terms(laid, model),
        Counter(own_tokens(page)),
        page_terms(page),
        terms(page.leaves.text[leaf] for leaf in inside),
    )
